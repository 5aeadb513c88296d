/**
 * The service's configuration file: JSON with comments, and the files of values that its rules name. Read whole: it is what it
 * says, or all that is wrong with it, each fault with its line.
 */
import { readFile, stat } from "node:fs/promises";
import { type Configuration, checkConfiguration } from "./check.ts";
import type { Path } from "./findings.ts";
import { type FileFault, parseJsonFile } from "./json-file.ts";
import { type Look, lookAt, type SeenFiles } from "./seen-files.ts";
import { namedFiles, pathOf, valuesIn } from "./values.ts";

export type { Configuration } from "./check.ts";
export type { FileFault } from "./json-file.ts";
export { type SeenFiles, watchFiles } from "./seen-files.ts";

export type Reading = {
  /** The files that were read, or could not be, as they looked before that. */
  seen: SeenFiles;
} & (
  | {
      configuration: Configuration;
      /** The line, from 1, of what stands at a path. */
      lineOf: (path: Path) => number;
    }
  | { faults: FileFault[] }
);

/** Reads a configuration file, and the files that it names. Never rejects. */
export async function readConfiguration(file: string): Promise<Reading> {
  const seen = new Map<string, Look>();
  const read = async (path: string) => {
    seen.set(path, await lookAt(path, Date.now()));
    return textOf(path);
  };
  const text = await read(file);
  if ("fault" in text) return { seen, faults: [{ message: text.fault }] };
  const parsed = parseJsonFile(text.text);
  if ("faults" in parsed) return { seen, faults: parsed.faults };

  const values = new Map<string, ReadonlySet<string> | { fault: string }>();
  for (const { name } of namedFiles(parsed.file.value)) {
    const path = pathOf(name, file);
    if (values.has(path)) continue;
    const found = await read(path);
    values.set(path, "fault" in found ? found : valuesIn(found.text));
  }
  return { seen, lineOf: parsed.file.lineOf, ...checkConfiguration(parsed.file, file, values) };
}

/** The faults as a person reads them, one a line. `name` is the file as it was named. */
export function faultLines(name: string, faults: readonly FileFault[]): string[] {
  return faults.map(({ line, message }) => {
    // A name in the file may hold anything.
    const plain = message.replace(/\p{C}+/gu, " ");
    return line === undefined ? `${name}: ${plain}` : `${name}:${line}: ${plain}`;
  });
}

async function textOf(file: string): Promise<{ text: string } | { fault: string }> {
  try {
    if (!(await stat(file)).isFile()) return { fault: "cannot be read: it is no file" };
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(await readFile(file)) };
  } catch (error) {
    if (error instanceof TypeError) return { fault: "cannot be read: it is no text in UTF-8" };
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") return { fault: "cannot be read: there is no such file" };
    if (code === "EACCES") return { fault: "cannot be read: it is not allowed" };
    return { fault: `cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
}
