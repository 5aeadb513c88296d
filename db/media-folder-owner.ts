/** The database that a folder of images belongs to. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "./inspect.ts";
import { databaseIdFile } from "./types.ts";

/**
 * Whether the folder of images has the id of the database at `url`.
 * Not when either cannot be read: the database may be damaged, absent, or of an earlier version.
 */
export async function isFolderOf(url: string, mediaFolder: string): Promise<boolean> {
  try {
    const id = readFileSync(join(mediaFolder, databaseIdFile), "utf8").trim();
    const inspection = await inspect(url);
    try {
      return (await inspection.query("select database_id from media_folder")).some(([saved]) => saved === id);
    } finally {
      await inspection.close();
    }
  } catch {
    return false;
  }
}
