/** `npm run backup -- FILE` */
import { statSync } from "node:fs";
import { fileOperation } from "./file-operation.ts";

const usage = `npm run backup -- FILE [--force] [--json]

Writes a backup of the blog (the database of DATABASE_URL and the images in MEDIA_FOLDER) to FILE, while the server runs. FILE gets its name when the backup is
complete and has been checked; only its owner can read it. It is one SQLite file, whichever database the blog is on.

  --force   replace FILE when there is one already`;

await fileOperation(usage, async ({ databaseUrl, file, mediaFolder, ...options }) => {
  const { backUp } = await import("../db/backup.ts");
  const media = await backUp(databaseUrl, file, { ...options, mediaFolder });
  const { size } = statSync(file);
  const lines = [`The backup is in ${file} (${size} bytes), checked. It has ${media.files} files of images.`];
  if (media.missingImages > 0)
    lines.push(`${media.missingImages} images have no files in ${mediaFolder}: check MEDIA_FOLDER.`);
  return { json: { file, bytes: size, ...media }, lines };
});
