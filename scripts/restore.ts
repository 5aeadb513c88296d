/** `npm run restore -- FILE` */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileOperation } from "./file-operation.ts";

const usage = `npm run restore -- FILE [--force] [--json]

Replaces the blog (the database of DATABASE_URL and the images in MEDIA_FOLDER) by the backup FILE. Stop the server first. FILE is checked before
anything is changed; after an interruption, the database has all of the old data or all of the new.

  --force   replace existing users and posts, and keep them in a file …before-restore-TIME`;

await fileOperation(usage, async ({ databaseUrl, file, ...options }) => {
  const { restore } = await import("../db/restore.ts");
  const { databaseIdFile } = await import("../db/types.ts");
  const { imageFilesIn } = await import("../db/image-files.ts");
  const kept = await restore(databaseUrl, file, { ...options, now: Date.now() });
  const lines = [`${file} is restored.`];
  if (kept) lines.push(`The replaced database is kept in ${kept}.`);
  const folder = resolve(options.mediaFolder);
  const idFile = join(folder, databaseIdFile);
  // Left there: it is not the replaced database's.
  const isOfAnother = existsSync(idFile) && imageFilesIn(folder).length > 0;
  if (isOfAnother)
    lines.push(
      `${folder} is the folder of images of another database, so no server starts on the restored one: set MEDIA_FOLDER to another folder and restore again, or remove ${idFile} to hand the folder over.`,
    );
  return { json: { file, kept: kept ?? null, mediaFolderIsOfAnotherDatabase: isOfAnother }, lines };
});
