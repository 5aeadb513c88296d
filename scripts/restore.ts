/** `npm run restore -- FILE` */
import { fileOperation } from "./file-operation.ts";

const usage = `npm run restore -- FILE [--force] [--json]

Replaces the blog (the database of DATABASE_URL and the images in MEDIA_FOLDER) by the backup FILE. Stop the server first. FILE is checked before
anything is changed; after an interruption, the database has all of the old data or all of the new.

  --force   replace existing users and posts, and keep them in a file …before-restore-TIME`;

await fileOperation(usage, async ({ databaseUrl, file, ...options }) => {
  const { restore } = await import("../db/restore.ts");
  const kept = await restore(databaseUrl, file, { ...options, now: Date.now() });
  const lines = kept ? [`The replaced database is kept in ${kept}.`] : [];
  return { json: { file, kept: kept ?? null }, lines: [`${file} is restored.`, ...lines] };
});
