/** `npm run restore -- FILE` */
import { fileFrom, operation, progress, WrongUsage } from "./operation.ts";

await operation({
  usage: `npm run restore -- FILE [--force] [--json]

Replaces the blog (the database of DATABASE_URL and the images in MEDIA_FOLDER) by the backup FILE. Stop the server first. FILE is checked before
anything is changed; after an interruption, the database has all of the old data or all of the new.

  --force   replace users and posts that are there, and keep them in a file …before-restore-TIME`,
  options: { force: { type: "boolean" } },
  async run([name, ...rest], { force }) {
    if (rest.length > 0) throw new WrongUsage(`There is only one FILE; ${rest.join(" ")} is too much.`);
    const file = fileFrom(name);
    const { env } = await import("../lib/settings/env.ts");
    const { mediaFolderPath } = await import("../lib/settings/data-folder.ts");
    const { restore } = await import("../db/restore.ts");
    const bar = progress();
    try {
      const mediaFolder = mediaFolderPath(env);
      const options = { replaces: force === true, now: Date.now(), mediaFolder, onStage: bar.show };
      const kept = await restore(env.DATABASE_URL, file, options);
      const lines = kept ? [`What there was is kept in ${kept}.`] : [];
      return { json: { file, kept: kept ?? null }, lines: [`${file} is restored.`, ...lines] };
    } finally {
      bar.stop();
    }
  },
});
