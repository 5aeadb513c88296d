/**
 * The service's configuration file.
 * JSON with comments, and the files of values that its rules name. Read whole: the configuration, or all its
 * faults, each with its line.
 */
import { readFile, stat } from "node:fs/promises";
import { errorCode } from "../../db/error-code.ts";
import { errorMessage } from "../../lib/logging/error-message.ts";
import { type Configuration, checkConfiguration } from "./check.ts";
import { type FileFingerprints, type Fingerprint, fingerprintOf, isSame } from "./file-fingerprints.ts";
import { type FileFault, type Path, parseJsonFile } from "./json-file.ts";
import { namedFiles, pathOf, valuesIn } from "./values.ts";

export type { Configuration } from "./check.ts";
export type { FileFingerprints } from "./file-fingerprints.ts";
export { watchFiles } from "./watch.ts";

export type Reading = {
  /** The files that were read, or could not be, as they looked before that. */
  seen: FileFingerprints;
} & (
  | {
      configuration: Configuration;
      /** The line, from 1, of the value at a path. */
      lineOf: (path: Path) => number;
    }
  | { faults: FileFault[] }
);

/**
 * Creates a reader of a configuration file and the files that it names.
 * Files of values, which may be long, are read only when they have changed. The reader never rejects.
 */
export function configurationReader(file: string): () => Promise<Reading> {
  let known = new Map<string, { fingerprint: Fingerprint; values: ReadonlySet<string> }>();

  return async () => {
    const seen = new Map<string, Fingerprint>();
    const noteFile = async (path: string) => {
      const fingerprint = await fingerprintOf(path, Date.now());
      seen.set(path, fingerprint);
      return fingerprint;
    };
    await noteFile(file);
    const text = await textOf(file);
    if ("fault" in text) return { seen, faults: [{ message: text.fault }] };
    const parsed = parseJsonFile(text.text);
    if ("faults" in parsed) return { seen, faults: parsed.faults };

    const files = new Map<string, ReadonlySet<string> | { fault: string }>();
    const read: typeof known = new Map();
    for (const path of new Set(namedFiles(parsed.file.value).map(({ name }) => pathOf(name, file)))) {
      const fingerprint = await noteFile(path);
      const before = known.get(path);
      const found = before && isSame(before.fingerprint, fingerprint) ? undefined : await textOf(path);
      const values = found === undefined ? before?.values : "fault" in found ? found : valuesIn(found.text);
      if (!values) continue;
      files.set(path, values);
      if (!("fault" in values)) read.set(path, { fingerprint, values });
    }
    known = read;
    return { seen, lineOf: parsed.file.lineOf, ...checkConfiguration(parsed.file, file, files) };
  };
}

/**
 * The faults as a person reads them, one a line.
 * `name` is the file as it was named.
 */
export function faultLines(name: string, faults: readonly FileFault[]): string[] {
  return faults.map(({ line, message }) => {
    // A name in the file may hold anything.
    const plain = message.replace(/\p{C}+/gu, " ");
    return line === undefined ? `${name}: ${plain}` : `${name}:${line}: ${plain}`;
  });
}

async function textOf(file: string): Promise<{ text: string } | { fault: string }> {
  try {
    if (!(await stat(file)).isFile()) return { fault: "cannot be read: it is not a file" };
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(await readFile(file)) };
  } catch (error) {
    if (error instanceof TypeError) return { fault: "cannot be read: it is not text in UTF-8" };
    const code = errorCode(error);
    if (code === "ENOENT") return { fault: "cannot be read: there is no such file" };
    if (code === "EACCES") return { fault: "cannot be read: it is not allowed" };
    return { fault: `cannot be read: ${errorMessage(error)}` };
  }
}
