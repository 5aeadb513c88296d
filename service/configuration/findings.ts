/** All that is found wrong in a file, each at its place. */
import type { z } from "zod";
import type { FileFault, JsonFile } from "./json-file.ts";

export type Path = readonly (string | number)[];

/** Is told what is wrong with what stands at a path, as the end of a sentence: "must be a number". */
export type Tell = (path: Path, message: string) => void;

export interface Findings {
  faults: FileFault[];
  tell: Tell;
  /** What a part of the file says; undefined, and told, when that is not what the schema takes. */
  part<T>(path: Path, schema: z.ZodType<T>, value: unknown): T | undefined;
}

export function findingsIn(json: JsonFile): Findings {
  const faults: FileFault[] = [];

  function tell(path: Path, message: string): void {
    const isMissing = message.startsWith("must ") && !json.has(path);
    faults.push({
      line: json.lineOf(path),
      message: `${written(path)} ${isMissing ? `is missing: it ${message}` : message}`,
    });
  }

  return {
    faults,
    tell,
    part(path, schema, value) {
      const { data, error } = schema.safeParse(value);
      for (const issue of error?.issues ?? []) {
        const at = [...path, ...issue.path.map((key) => (typeof key === "symbol" ? String(key) : key))];
        if (issue.code === "unrecognized_keys")
          for (const key of issue.keys) tell([...at, key], "is not known");
        else tell(at, issue.message);
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
