/** `npm run import -- PATH --from FORMAT` */
import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { ImportLine } from "../lib/import/types.ts";
import { importFormats } from "../lib/import-uploads/kinds.ts";
import { fileFrom, operation, WrongUsage } from "./operation.ts";

await operation({
  usage: `npm run import -- PATH --from markdown|ghost|wordpress [--dry-run] [--author NAME | --authors MAP.json] [--json]

Imports posts while the server runs, and reports each one. PATH is a folder, a ZIP archive or a file: Markdown files with
front matter (also what npm run export writes), the JSON file of Ghost's export, or the XML file of WordPress'. Pictures
come from PATH only, never from the network. Dates, addresses, tags, excerpts and drafts stay as they were. No reader gets
an email about posts that are published already; scheduled ones are announced when they appear. What is there already is left
out, so the command can be given again. Make a backup first.

  --from FORMAT       markdown, ghost or wordpress
  --dry-run           saves nothing; reports what would be saved
  --author NAME       the account that becomes the author of all posts
  --authors MAP.json  accounts by the authors' names in PATH, as {"Jane Doe": "jane"}; without it an author's name must be
                      an account's
`,
  options: {
    from: { type: "string" },
    "dry-run": { type: "boolean" },
    author: { type: "string" },
    authors: { type: "string" },
  },
  async run([path, ...rest], { from, "dry-run": isTrial = false, author, authors: map }) {
    if (rest.length > 0) throw new WrongUsage(`There is only one PATH; ${rest.join(" ")} is too much.`);
    const format = importFormats.find((each) => each === from);
    if (!format) throw new WrongUsage(`--from must be one of ${importFormats.join(", ")}.`);
    if (author !== undefined && map !== undefined)
      throw new WrongUsage("--author and --authors exclude each other.");
    const authors = map === undefined ? {} : await readAuthors(fileFrom(map));
    const file = fileFrom(path);
    const { importFrom } = await import("../lib/import/command.ts");
    const lines: ImportLine[] = [];
    const counts = { imported: 0, "would-import": 0, skipped: 0, failed: 0 };
    for await (const line of importFrom({ path: file, format, isTrial, author, authors })) {
      lines.push(line);
      counts[line.result] += 1;
    }
    const end = isTrial
      ? `${counts["would-import"]} posts would be imported, ${counts.skipped} skipped; ${counts.failed} cannot be.`
      : `${counts.imported} posts imported, ${counts.skipped} skipped, ${counts.failed} failed.`;
    return {
      ok: counts.failed === 0,
      json: { ...counts, posts: lines },
      lines: [...lines.flatMap(textOf), end],
    };
  },
});

function textOf({ source, result, slug, reason, notes }: ImportLine): string[] {
  const first = `${result.padEnd(12)} ${source}${slug === undefined ? "" : ` → ${slug}`}${reason ? `: ${reason}` : ""}`;
  return [first, ...notes.map((note) => `${"".padEnd(13)}${note}`)];
}

async function readAuthors(file: string): Promise<Record<string, string>> {
  const { Failure } = await import("../db/failure.ts");
  const parsed = z.record(z.string(), z.string()).safeParse(jsonFrom(await readFile(file, "utf8")));
  if (!parsed.success) throw new Failure(`${file} must be JSON such as {"Jane Doe": "jane"}.`);
  return parsed.data;
}

function jsonFrom(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
