/**
 * Compares the folder of images with the database.
 * All nodes share one folder, and no other database does: it would take the images for remains and remove them.
 */
import { randomUUID } from "node:crypto";
import type { Database } from "../../db/index.ts";
import { filesOf } from "./address.ts";
import type { MediaFolder } from "./folder.ts";

/** How many of the images are looked for in a folder that belongs to no database. */
const soughtImages = 100;

type Claim =
  | { kind: "own" }
  | { kind: "of-another-database" }
  /**
   * The folder has no id, and none of the images.
   * Or there are no images yet, and other nodes have another folder.
   */
  | { kind: "not-the-shared-one"; databaseId: string };

/**
 * Checks that the folder belongs to the database, and claims a new one.
 * Also one that was moved, restored or copied with its images. Call it at start, after `prepare`.
 */
export function claimMediaFolder({
  database,
  mediaFolder,
  nodeCount,
}: {
  database: Pick<Database, "media" | "transaction">;
  mediaFolder: Pick<MediaFolder, "databaseId" | "saveDatabaseId" | "list" | "writtenAt">;
  nodeCount: number;
}): Promise<Claim> {
  return database.transaction(async (): Promise<Claim> => {
    const saved = await database.media.lockFolderId();
    const found = await mediaFolder.databaseId();
    if (found !== undefined && found === saved) return { kind: "own" };
    const holds = await imagesHeld(database, mediaFolder);
    if (found !== undefined) {
      const isFree = holds === "no-images" && (await isEmpty(mediaFolder));
      if (saved !== undefined || !(holds === "some" || isFree)) return { kind: "of-another-database" };
    }
    const databaseId = saved ?? randomUUID();
    if (saved === undefined) await database.media.saveFolderId(databaseId);
    const mayBeNew = holds === "no-images" && (saved === undefined || nodeCount === 1);
    if (holds !== "some" && !mayBeNew) return { kind: "not-the-shared-one", databaseId };
    await mediaFolder.saveDatabaseId(databaseId);
    return { kind: "own" };
  });
}

/** Whether the folder has files of some of the database's images, or of none. */
async function imagesHeld(
  { media }: Pick<Database, "media">,
  folder: Pick<MediaFolder, "writtenAt">,
): Promise<"some" | "none" | "no-images"> {
  const images = await media.after(0, soughtImages);
  for (const file of images.flatMap(filesOf)) if ((await folder.writtenAt(file)) !== undefined) return "some";
  return images.length === 0 ? "no-images" : "none";
}

/** Whether the folder has no file of any image. */
async function isEmpty(folder: Pick<MediaFolder, "list">): Promise<boolean> {
  for await (const _ of folder.list()) return false;
  return true;
}
