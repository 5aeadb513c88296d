/** The lines and authors of an import's report, within bounds. */
import { translator } from "../i18n/index.ts";
import { authorsMaximum } from "./kinds.ts";
import type { ImportReport } from "./uploads.ts";

type ReportLine = ImportReport["lines"][number];
type ImportedLine = Omit<ReportLine, "notes"> & {
  notes: readonly string[];
  /** The account that gets the post, or is suggested. */
  account?: string | undefined;
};

/** Failures, and posts with notes. */
const linesMaximum = 1_000;
/** Of all lines, as JSON. */
const linesMaximumBytes = 2 * 1024 * 1024;
const notesMaximum = 20;
const textMaximum = 300;

/** A function that adds the result for one post to a report. */
export function addTo(
  report: ImportReport,
  accounts: ReadonlyMap<string, string>,
): (line: ImportedLine) => void {
  const authors = new Map<string, ImportReport["authors"][number]>();
  let bytes = 0;

  function countAuthor(name: string, account = ""): void {
    const known = authors.get(name);
    if (known) {
      known.posts += 1;
      known.account ||= account;
    } else if (authors.size < authorsMaximum) {
      const author = { name, posts: 1, account: accounts.get(name) ?? account };
      authors.set(name, author);
      report.authors.push(author);
    }
  }

  return (line) => {
    report.counts[line.result] += 1;
    if (line.author !== undefined) countAuthor(line.author, line.account);
    // A post without a note needs no attention.
    if (line.result !== "failed" && line.notes.length === 0) return;
    const short = report.more === 0 ? shortLine(line) : undefined;
    bytes += short ? Buffer.byteLength(JSON.stringify(short)) : 0;
    if (short && report.lines.length < linesMaximum && bytes <= linesMaximumBytes) report.lines.push(short);
    else report.more += 1;
  };
}

function shortLine({ source, author, slug, reason, notes, result }: ImportedLine): ReportLine {
  const different = [...new Set(notes)];
  const shown = different.slice(0, notesMaximum).map(shortText);
  const count = different.length - shown.length;
  return {
    source: shortText(source),
    result,
    ...(author !== undefined && { author }),
    ...(slug !== undefined && { slug }),
    ...(reason !== undefined && { reason: shortText(reason) }),
    notes: count > 0 ? [...shown, translator("importing")("note.more", { count })] : shown,
  };
}

/** A text that is cut where it is too long for a report. */
export function shortText(text: string): string {
  if (text.length <= textMaximum) return text;
  return `${text.slice(0, textMaximum - 1).replace(/\p{Surrogate}$/u, "")}…`;
}
