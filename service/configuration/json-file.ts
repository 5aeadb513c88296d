/**
 * A file of JSON with comments, with the line of each value.
 * Faults are reported with their line.
 */
import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree } from "jsonc-parser";
import { syntaxFault } from "./syntax-fault.ts";

/** The faults of a file. */
export interface FileFault {
  /** Counted from 1; none when it is the file as a whole. */
  line?: number;
  /** The fault and its remedy, in one line. */
  message: string;
}

/**
 * A path in a file, as names and indices from the outside in.
 * Example: `["rules", 0, "when", "address"]`.
 */
export type Path = readonly (string | number)[];

export interface JsonFile {
  value: unknown;
  has(path: Path): boolean;
  /**
   * The line, from 1, of the value at a path.
   * When there is none, that of the nearest enclosing value.
   */
  lineOf(path: Path): number;
}

/** Faults when it is not JSON, or when an object has two values of one name. */
export function parseJsonFile(text: string): { file: JsonFile } | { faults: FileFault[] } {
  const lineAt = lineFinder(text);
  const errors: ParseError[] = [];
  if (text.trim() === "") return { faults: [{ line: 1, message: "is empty: write a configuration" }] };
  const root = treeOf(text, errors);
  if (root === "too deep") return { faults: [{ line: 1, message: "nests too many objects in each other" }] };
  const [error] = errors;
  // Those after the first are mostly its echoes.
  if (error) {
    const { offset, message } = syntaxFault(text, error);
    return { faults: [{ line: lineAt(offset), message }] };
  }
  if (!root) return { faults: [{ line: 1, message: "holds no value: write a configuration" }] };
  const faults = nameFaults(root, lineAt);
  if (faults.length > 0) return { faults };

  const find = (path: Path) => findNodeAtLocation(root, [...path]);
  return {
    file: {
      value: getNodeValue(root),
      has: (path) => find(path) !== undefined,
      lineOf(path) {
        for (let length = path.length; length > 0; length -= 1) {
          const node = find(path.slice(0, length));
          // A value's line is that of its name, where it has one.
          if (node) return lineAt((node.parent?.type === "property" ? node.parent : node).offset);
        }
        return lineAt(root.offset);
      },
    },
  };
}

function treeOf(text: string, errors: ParseError[]): Node | undefined | "too deep" {
  try {
    return parseTree(text, errors, { allowTrailingComma: false });
  } catch (error) {
    if (error instanceof RangeError) return "too deep";
    throw error;
  }
}

/** Names that an object has twice, and the one that would be lost. */
function nameFaults(node: Node, lineAt: (offset: number) => number): FileFault[] {
  const lines = new Map<string, number>();
  return (node.children ?? []).flatMap((child) => {
    if (child.type !== "property") return nameFaults(child, lineAt);
    const [key, value] = child.children ?? [];
    const name = String(key?.value);
    const line = lineAt(child.offset);
    const before = lines.get(name);
    lines.set(name, line);
    const faults = value ? nameFaults(value, lineAt) : [];
    if (before !== undefined)
      faults.unshift({
        line,
        message: `${JSON.stringify(name)} is here twice, first in line ${before}: keep one`,
      });
    if (name === "__proto__") faults.unshift({ line, message: "__proto__ cannot be a name: write another" });
    return faults;
  });
}

function lineFinder(text: string): (offset: number) => number {
  const starts = [0, ...Array.from(text.matchAll(/\r\n|\r|\n/g), ({ index, 0: end }) => index + end.length)];
  // A file of many rules has many lines to find, most of them near its end.
  return (offset) => {
    let before = 0;
    let after = starts.length;
    while (before < after) {
      const middle = (before + after) >> 1;
      if ((starts[middle] ?? 0) > offset) after = middle;
      else before = middle + 1;
    }
    return before;
  };
}
