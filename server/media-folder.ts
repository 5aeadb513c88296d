/** The folder of images at the start of a server. */
import { join } from "node:path";
import { databaseIdFile } from "../db/types.ts";
import { app } from "../lib/app.ts";
import { database } from "../lib/database.ts";
import { log } from "../lib/logging/log.ts";
import { claimMediaFolder } from "../lib/media/claim-folder.ts";
import { env } from "../lib/settings/env.ts";

/**
 * Creates the folder when it is absent, and checks it.
 * Ends the process when it cannot be written, or belongs to another database, or is not the one that all nodes share.
 */
export async function prepareMediaFolder(): Promise<void> {
  const { mediaFolder } = app();
  const { path } = mediaFolder;
  try {
    await mediaFolder.prepare();
  } catch (err) {
    log.fatal(
      { err },
      `the folder of images cannot be written, so the server ends: make ${path} writable, or set MEDIA_FOLDER`,
    );
    process.exit(1);
  }
  const file = join(path, databaseIdFile);
  const claim = await claimMediaFolder({ database: database(), mediaFolder, nodeCount: env.NODES });
  if (claim.kind === "own") return;
  if (claim.kind === "of-another-database")
    log.fatal(
      `${path} is the folder of images of another database, so the server ends: set MEDIA_FOLDER to the one of this database. If the images in it are this database's, remove ${file}`,
    );
  else
    log.fatal(
      `${path} is not the folder of images that this database has, so the server ends: set MEDIA_FOLDER to that one, which all nodes share, and mount it first. To go on with this one, write ${claim.databaseId} to ${file}`,
    );
  process.exit(1);
}
