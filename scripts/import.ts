/** `npm run import -- PATH --from FORMAT` */
import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { ImportLine } from "../lib/import/types.ts";
import { importFormats } from "../lib/import-uploads/kinds.ts";
import { fileFrom, operation, WrongUsage } from "./operation.ts";

await operation({
  usage: `npm run import -- PATH --from markdown|ghost|wordpress [--dry-run] [--author ACCOUNT | --author NAME=ACCOUNT …
  | --authors MAP.json] [--json]

Imports posts while the server runs, and reports each one. PATH is a folder, a ZIP archive or a file: Markdown files with
front matter (as npm run export writes them), the JSON file of Ghost's export, or the XML file of WordPress'. Pictures
come from PATH only, never from the network. Dates, addresses, tags, excerpts and drafts stay as they were. No reader gets
an email about posts that are published already; scheduled ones are announced when they appear. Posts that exist already are
skipped, so the command can be given again. Of all imports one runs at a time, those of /admin/archive and the JSON API too.
Make a backup first.

  --from FORMAT          markdown, ghost or wordpress
  --dry-run              saves nothing; reports each post, and suggests accounts of the authors' names
  --author ACCOUNT       the account that becomes the author of all posts
  --author NAME=ACCOUNT  the account that gets the posts of an author in PATH, as --author "Jane Doe=jane"; several times
                         for several authors. Posts of an author without an account are not imported
  --authors MAP.json     the same as a file, as {"Jane Doe": "jane"}
`,
  options: {
    from: { type: "string" },
    "dry-run": { type: "boolean" },
    author: { type: "string", multiple: true },
    authors: { type: "string" },
  },
  async run([path, ...rest], { from, "dry-run": isTrial = false, author: given = [], authors: map }) {
    if (rest.length > 0) throw new WrongUsage(`There is only one PATH; ${rest.join(" ")} is too much.`);
    const format = importFormats.find((each) => each === from);
    if (!format) throw new WrongUsage(`--from must be one of ${importFormats.join(", ")}.`);
    const [author, ...more] = given.filter((text) => !text.includes("="));
    if (author !== undefined && (more.length > 0 || given.length > 1 || map !== undefined))
      throw new WrongUsage("--author ACCOUNT is for all posts: give no other --author, and no --authors.");
    const authors = {
      ...(map !== undefined && (await readAuthors(fileFrom(map)))),
      ...Object.fromEntries(given.filter((text) => text.includes("=")).map(partedAtLast)),
    };
    const file = fileFrom(path);
    const { importFrom } = await import("../lib/import/command.ts");
    const { operator } = await import("../lib/users/roles.ts");
    const lines: ImportLine[] = [];
    const counts = { imported: 0, "would-import": 0, skipped: 0, failed: 0 };
    const request = { path: file, format, isTrial, author, authors, by: operator, isAlone: false };
    for await (const line of importFrom(request)) {
      lines.push(line);
      counts[line.result] += 1;
    }
    const end = isTrial
      ? `${counts["would-import"]} posts would be imported, ${counts.skipped} skipped; ${counts.failed} cannot be.`
      : `${counts.imported} posts imported, ${counts.skipped} skipped, ${counts.failed} failed.`;
    return {
      ok: counts.failed === 0,
      json: { ...counts, posts: lines },
      lines: [
        ...lines.flatMap(textOf),
        ...(author === undefined ? missingAccounts(lines, authors) : []),
        end,
      ],
    };
  },
});

function textOf({ source, result, slug, reason, notes }: ImportLine): string[] {
  const first = `${result.padEnd(12)} ${source}${slug === undefined ? "" : ` → ${slug}`}${reason ? `: ${reason}` : ""}`;
  return [first, ...notes.map((note) => `${"".padEnd(13)}${note}`)];
}

/** The options for authors without an account, which may be one of the same name. */
function missingAccounts(lines: readonly ImportLine[], given: Readonly<Record<string, string>>): string[] {
  const byAuthor = Map.groupBy(lines, ({ author }) => author);
  return [...byAuthor].flatMap(([name, [line]]) => {
    if (name === undefined || Object.hasOwn(given, name)) return [];
    const option = `--author ${JSON.stringify(`${name}=${line?.account ?? "ACCOUNT"}`)}`;
    return line?.account === undefined
      ? [`No account is chosen for the author "${name}": give ${option}.`]
      : [
          `No account is chosen for the author "${name}". If ${line.account} is the same person, give ${option}.`,
        ];
  });
}

/** A name and an account, which has no "=". */
function partedAtLast(text: string): [string, string] {
  const at = text.lastIndexOf("=");
  return [text.slice(0, at), text.slice(at + 1)];
}

async function readAuthors(file: string): Promise<Record<string, string>> {
  const { Failure } = await import("../db/failure.ts");
  const { jsonFrom } = await import("../lib/validation.ts");
  const parsed = z.record(z.string(), z.string()).safeParse(jsonFrom(await readFile(file, "utf8")));
  if (!parsed.success) throw new Failure(`${file} must be JSON such as {"Jane Doe": "jane"}.`);
  return parsed.data;
}
