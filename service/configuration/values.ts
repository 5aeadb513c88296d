/** Files of values that rules look things up in: one value a line. */
import { dirname, resolve } from "node:path";

/** The values of such a file. Blank lines, and those that begin with #, do not count. */
export function valuesIn(text: string): ReadonlySet<string> {
  const lines = text.split("\n").map((line) => line.trim());
  return new Set(lines.filter((line) => line !== "" && !line.startsWith("#")));
}

/** The path of a file that is named in a configuration file: as seen from that. */
export function pathOf(name: string, configurationFile: string): string {
  return resolve(dirname(configurationFile), name);
}

/** The paths of all files that a configuration names, before anything of it is checked. */
export function valueFilesOf(value: unknown, configurationFile: string): Set<string> {
  if (typeof value !== "object" || value === null) return new Set();
  const names = Object.entries(value).flatMap(([key, entry]) =>
    key === "inFile" && typeof entry === "string" && entry !== "" ? [pathOf(entry, configurationFile)] : [],
  );
  const further = Object.values(value).flatMap((entry) => [...valueFilesOf(entry, configurationFile)]);
  return new Set([...names, ...further]);
}
