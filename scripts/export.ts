/** `npm run export -- FOLDER|FILE.zip` */
import { createWriteStream } from "node:fs";
import { mkdir, readdir, utimes } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileFrom, operation, WrongUsage } from "./operation.ts";

await operation({
  usage: `npm run export -- FOLDER|FILE.zip [--emails] [--force] [--json]

Writes the site as files that any program reads, while the server runs: posts, drafts too, as Markdown with front matter
(posts/YEAR/SLUG.md), their earlier versions, settings, users and scores as JSON, and images. It is for moving to other
programs, and for npm run import, which reads posts and images; a backup of everything is made by npm run backup.
Passwords, sessions and single ratings are not in it. Drafts are: only you should be able to read it.

  --emails  with email addresses: in users.json, and of subscribers in subscribers.csv
  --force   replace FILE.zip when there is one already`,
  options: { emails: { type: "boolean" }, force: { type: "boolean" } },
  async run([name, ...rest], { emails = false, force = false }) {
    if (rest.length > 0) throw new WrongUsage(`There is only one target; ${rest.join(" ")} is too much.`);
    const target = fileFrom(name);
    const [
      { env },
      { openDatabase },
      { siteFiles },
      { zipOf },
      { mediaFolder },
      { mediaFolderPath },
      site,
      { writeArchive },
      { Failure },
    ] = await Promise.all([
      import("../lib/settings/env.ts"),
      import("../db/index.ts"),
      import("../lib/site-export/index.ts"),
      import("../lib/archive/zip.ts"),
      import("../lib/media/folder.ts"),
      import("../lib/settings/data-folder.ts"),
      import("../lib/site/index.ts"),
      import("./write-archive.ts"),
      import("../db/failure.ts"),
    ]);
    const database = await openDatabase(env.DATABASE_URL);
    let count = 0;
    try {
      const settings = site.settingsFrom(await database.siteSettings.all());
      const files = siteFiles({
        ...{ database, settings, now: database.time(), includesEmails: emails },
        mediaFolder: mediaFolder(mediaFolderPath(env)),
      });
      async function* counted() {
        for await (const file of files) {
          count += 1;
          yield file;
        }
      }
      if (target.endsWith(".zip")) await writeArchive(target, () => zipOf(counted()), { force });
      else await toFolder(counted());
    } finally {
      await database.close();
    }
    return { json: { target, files: count }, lines: [`The site is in ${target} (${count} files).`] };

    async function toFolder(
      files: AsyncIterable<import("../lib/archive/zip.ts").ArchiveFile>,
    ): Promise<void> {
      await mkdir(target, { recursive: true, mode: 0o700 });
      if ((await readdir(target)).length > 0) throw new Failure(`${target} is not empty.`);
      for await (const { path, content, changedAt } of files) {
        const file = resolve(target, path);
        await mkdir(dirname(file), { recursive: true, mode: 0o700 });
        const source = Readable.from(typeof content === "string" ? [content] : content, {
          objectMode: false,
        });
        await pipeline(source, createWriteStream(file, { flags: "wx", mode: 0o600 }));
        await utimes(file, new Date(changedAt), new Date(changedAt));
      }
    }
  },
});
