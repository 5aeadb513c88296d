/** Where persistent data is kept on this machine. */
import { dirname, join } from "node:path";
import { databaseFile, isPostgresUrl } from "../../db/index.ts";
import type { Settings } from "./env.ts";

/** This machine's folder for persistent data. */
export function dataFolder({ DATABASE_URL }: Pick<Settings, "DATABASE_URL">): string {
  return isPostgresUrl(DATABASE_URL) ? "data" : dirname(databaseFile(DATABASE_URL));
}

/** The folder of images, which belongs to one database. */
export function mediaFolderPath(settings: Pick<Settings, "DATABASE_URL" | "MEDIA_FOLDER">): string {
  return settings.MEDIA_FOLDER ?? join(dataFolder(settings), "media");
}
