/** All that is found wrong in a file, each at its place. */
import type { z } from "zod";
import type { FileFault, JsonFile, Path } from "./json-file.ts";

/**
 * Reports a fault of the value at a path: "must be a number".
 * The line is that of `seenAt`.
 */
export type Report = (path: Path, message: string, seenAt?: Path) => void;

export interface Findings {
  faults: FileFault[];
  report: Report;
  /**
   * The checked value of a part of the file.
   * Undefined, with the faults reported, when the schema refuses it.
   */
  part<T>(path: Path, schema: z.ZodType<T>, value: unknown): T | undefined;
}

export function findingsIn(json: JsonFile): Findings {
  const faults: FileFault[] = [];

  function report(path: Path, message: string, seenAt = path): void {
    const isMissing = typeof path.at(-1) === "string" && !json.has(path) && message.startsWith("must ");
    const line = json.lineOf(seenAt);
    faults.push({ line, message: `${written(path)}: ${isMissing ? `is missing: it ${message}` : message}` });
  }

  return {
    faults,
    report,
    part(path, schema, value) {
      const { data, error } = schema.safeParse(value);
      for (const issue of error?.issues ?? []) {
        const at = [...path, ...issue.path.map((key) => (typeof key === "symbol" ? String(key) : key))];
        // A key that is not known is seen where it stands.
        const seenAt = issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...at, key]) : [at];
        for (const place of seenAt) report(at, issue.message, place);
      }
      return data;
    },
  };
}

/** rules[2].when.address */
function written(path: Path): string {
  if (path.length === 0) return "the configuration";
  return path
    .map((key) =>
      typeof key === "number" ? `[${key}]` : /^[\w-]+$/.test(key) ? `.${key}` : `.${JSON.stringify(key)}`,
    )
    .join("")
    .replace(/^\./, "");
}
