/** `npm run copy -- FROM TO` */
import { existsSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { isDatabaseUrl } from "../db/address.ts";
import { fileFrom, operation, progress, WrongUsage } from "./operation.ts";

await operation({
  usage: `npm run copy -- FROM TO [--media-from FOLDER] [--media-to FOLDER] [--json]

Copies a whole blog from one database to another, and compares the two row by row. FROM and TO are addresses as in
DATABASE_URL: file:./data/weir.db, postgres://user:password@host/name. Stop the server first. After an interruption, the same
command resumes; otherwise TO must be empty.

The files of images are copied and compared, too, unless both databases use one folder: MEDIA_FOLDER, or where it is not
set, the folder media beside an SQLite file, and data/media for PostgreSQL.

  --media-from FOLDER   where the images of FROM are, if elsewhere
  --media-to FOLDER     where those of TO are to be, if elsewhere
`,
  options: { "media-from": { type: "string" }, "media-to": { type: "string" } },
  async run([from, to, ...rest], { "media-from": mediaFrom, "media-to": mediaTo }) {
    if (!from || !to || rest.length > 0) throw new WrongUsage("Two addresses are needed: FROM and TO.");
    // The message leaves the address out: it may contain a password.
    for (const [name, url] of Object.entries({ FROM: from, TO: to }))
      if (!isDatabaseUrl(url))
        throw new WrongUsage(
          `${name} must be the address of a database, such as file:./data/weir.db or postgres://user:password@host/name.`,
        );
    const [
      { copyDatabase },
      { copyImageFiles, imageFilesIn },
      { Failure },
      { databaseIdFile },
      { mediaFolderPath },
      { env },
    ] = await Promise.all([
      import("../db/copy/index.ts"),
      import("../db/image-files.ts"),
      import("../db/failure.ts"),
      import("../db/types.ts"),
      import("../lib/settings/data-folder.ts"),
      import("../lib/settings/env.ts"),
    ]);
    const folderOf = (given: string | undefined, DATABASE_URL: string) =>
      given === undefined
        ? resolve(mediaFolderPath({ DATABASE_URL, MEDIA_FOLDER: env.MEDIA_FOLDER }))
        : fileFrom(given);
    if (mediaFrom !== undefined && !existsSync(fileFrom(mediaFrom)))
      throw new WrongUsage(`There is no folder ${fileFrom(mediaFrom)}.`);
    const folders = { from: folderOf(mediaFrom, from), to: folderOf(mediaTo, to) };
    const bar = progress();
    try {
      const copied = await copyDatabase(from, to, { onProgress: bar.show });
      const rows = copied.tables.map(({ table, rows, sha256 }) => line(table, rows, sha256));
      const before = copied.found > 0 ? ` (${copied.found} were there from an earlier run)` : "";
      const end = `Copied ${copied.copied} rows${before}; counts and checksums are the same on both sides.`;
      if (actual(folders.from) === actual(folders.to)) {
        const idFile = join(folders.to, databaseIdFile);
        const lines = [
          ...rows,
          end,
          `The images stay where they are: both databases use ${folders.to}.`,
          // A database of its own has another id.
          ...(existsSync(idFile)
            ? [`To move the blog, remove ${idFile} before a server starts on TO: that hands the folder over.`]
            : []),
        ];
        return { json: { ...copied, media: folders }, lines };
      }
      const images = copied.tables.find(({ table }) => table === "media")?.rows ?? 0;
      if (images > 0 && imageFilesIn(folders.from).length === 0)
        throw new Failure(
          `${end} But it has ${images} images, and ${folders.from} has no files of images: name their folder with --media-from, and run the command again.`,
        );
      const media = copyImageFiles(folders.from, folders.to, (done, total) =>
        bar.show("images", done, total),
      );
      const summary = `Copied ${media.files - media.found} files of images to ${folders.to}${media.found > 0 ? ` (${media.found} were there from an earlier run)` : ""}; their checksums are the same in ${folders.from}.`;
      return {
        json: { ...copied, media: { ...folders, ...media } },
        lines: [...rows, line("image files", media.files, media.sha256), end, summary],
      };
    } finally {
      bar.stop();
    }
  },
});

function line(what: string, count: number, sha256: string): string {
  return `${what.padEnd(18)}${String(count).padStart(10)}  ${sha256}`;
}

/** A folder without links; as it is named when there is none. */
function actual(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
