/** `npm run backup -- FILE` */
import { statSync } from "node:fs";
import { fileFrom, operation, progress, WrongUsage } from "./operation.ts";

await operation({
  usage: `npm run backup -- FILE [--force] [--json]

Writes a backup of the blog (the database of DATABASE_URL and the images in MEDIA_FOLDER) to FILE, while the server runs. FILE gets its name when the backup is
complete and has been checked; only its owner can read it. It is one SQLite file, whichever database the blog is on.

  --force   replace FILE when there is one already`,
  options: { force: { type: "boolean" } },
  async run([name, ...rest], { force }) {
    if (rest.length > 0) throw new WrongUsage(`There is only one FILE; ${rest.join(" ")} is too much.`);
    const file = fileFrom(name);
    const { env } = await import("../lib/settings/env.ts");
    const { mediaFolderPath } = await import("../lib/settings/data-folder.ts");
    const { backUp } = await import("../db/backup.ts");
    const bar = progress();
    try {
      const mediaFolder = mediaFolderPath(env);
      const media = await backUp(env.DATABASE_URL, file, {
        replaces: force === true,
        mediaFolder,
        onStage: bar.show,
      });
      const { size } = statSync(file);
      const lines = [
        `The backup is in ${file} (${size} bytes), checked. It has ${media.files} files of images.`,
      ];
      if (media.missingImages > 0)
        lines.push(`${media.missingImages} images have no files in ${mediaFolder}: check MEDIA_FOLDER.`);
      return { json: { file, bytes: size, ...media }, lines };
    } finally {
      bar.stop();
    }
  },
});
