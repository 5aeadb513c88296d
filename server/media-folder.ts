/** The folder of images at the start of a server. */
import { Failure } from "../db/failure.ts";
import { app } from "../lib/app.ts";
import { database } from "../lib/database.ts";
import { log } from "../lib/logging/log.ts";
import { claimMediaFolder, describeRefusal } from "../lib/media/claim-folder.ts";
import { env } from "../lib/settings/env.ts";

/**
 * Creates the folder when it is absent, and checks it.
 * Ends the process when it cannot be written, or is not the one of this database.
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
  const claim = await claimMediaFolder({ database: database(), mediaFolder, nodeCount: env.NODES }).catch(
    (error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      log.fatal(`${error.message}, so the server ends: make it a file that this user can read and write`);
      process.exit(1);
    },
  );
  if (claim.kind === "own") return;
  const { finding, advice } = describeRefusal(claim, { path, saved: claim.saved });
  log.fatal(`${finding}, so the server ends: ${advice}`);
  process.exit(1);
}
