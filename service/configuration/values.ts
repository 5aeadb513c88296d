/** Files of values that rules look things up in: one value a line. */
import { dirname, resolve } from "node:path";
import type { Path } from "./json-file.ts";

/** The values of each file by its path, or why it could not be read. */
export type ValueFiles = ReadonlyMap<string, ReadonlySet<string> | { fault: string }>;

/**
 * The values in a file.
 * Blank lines, and those that begin with #, do not count.
 */
export function valuesIn(text: string): ReadonlySet<string> {
  const lines = text.split("\n").map((line) => line.trim());
  return new Set(lines.filter((line) => line !== "" && !line.startsWith("#")));
}

/** The path of a file that is named in a configuration file: as seen from that. */
export function pathOf(name: string, configurationFile: string): string {
  return resolve(dirname(configurationFile), name);
}

/** The files that an unchecked configuration's rules name, and where. */
export function namedFiles(configuration: unknown): { name: string; path: Path }[] {
  const { rules } = membersOf(configuration);
  if (!Array.isArray(rules)) return [];
  return rules.flatMap((rule: unknown, index) =>
    Object.entries(membersOf(membersOf(rule).when)).flatMap(([field, condition]) =>
      namedIn(condition, ["rules", index, "when", field]),
    ),
  );
}

function namedIn(condition: unknown, path: Path): { name: string; path: Path }[] {
  const { inFile, not } = membersOf(condition);
  const own =
    typeof inFile === "string" && inFile !== "" ? [{ name: inFile, path: [...path, "inFile"] }] : [];
  return not === undefined ? own : [...own, ...namedIn(not, [...path, "not"])];
}

/** None when it is not an object. */
function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
