/** Markdown files that begin with their properties as YAML between lines of "---". */
import { isMap, parseDocument, stringify } from "yaml";

type FrontMatter = Record<string, unknown>;

/** The end of properties is searched for in as many characters. */
const searchedMaximum = 64 * 1024;
/**
 * More than any post's properties, in characters.
 * The library compares each name with each other.
 */
export const frontMatterMaximum = 8 * 1024;

/** A text with its properties before it; those that are undefined are left out. */
export function withFrontMatter(properties: FrontMatter, text: string): string {
  const given = Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined));
  return `---\n${stringify(given, { lineWidth: 0 })}---\n\n${text}\n`;
}

type FrontMatterFile =
  | { kind: "read"; properties: FrontMatter; text: string }
  /** The properties are not names and values in YAML, or repeat too much ("aliases"). */
  | { kind: "unreadable"; fault: { yaml: number } | "no-properties" | "aliases" | "toml" | "too-long" };

/**
 * Reads a file; one without properties has none.
 * YAML's aliases are bounded, its tags are not resolved, and no code runs.
 */
export function readFrontMatter(file: string): FrontMatterFile {
  const source = file.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
  if (/^\+\+\+[ \t]*\n/.test(source)) return { kind: "unreadable", fault: "toml" };
  if (!/^---[ \t]*\n/.test(source)) return { kind: "read", properties: {}, text: source };
  const start = source.indexOf("\n") + 1;
  const end = /^(?:---|\.\.\.)[ \t]*$/m.exec(source.slice(start, start + searchedMaximum));
  // A line across the page, and no properties.
  if (!end) return { kind: "read", properties: {}, text: source };
  if (end.index > frontMatterMaximum) return { kind: "unreadable", fault: "too-long" };
  const head = source.slice(start, start + end.index);
  const text = source.slice(start + end.index + end[0].length).replace(/^\n\n?/, "");
  const document = parseDocument(head, { schema: "core", uniqueKeys: true, logLevel: "silent" });
  const [error] = document.errors;
  if (error) return { kind: "unreadable", fault: { yaml: 1 + (error.linePos?.[0].line ?? 0) } };
  if (document.contents === null) return { kind: "read", properties: {}, text };
  if (!isMap(document.contents)) return { kind: "unreadable", fault: "no-properties" };
  try {
    // Aliases that multiply are refused beyond a hundred.
    const properties: FrontMatter = Object.fromEntries(Object.entries(document.toJS({ maxAliasCount: 100 })));
    return { kind: "read", properties, text };
  } catch {
    return { kind: "unreadable", fault: "aliases" };
  }
}
