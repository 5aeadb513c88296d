import { expect, test } from "vitest";
import { parseJsonFile } from "./json-file.ts";

test("finds the line of a path with any line ending", () => {
  const text = '{\n"a": 1,\r\n\r\n"b": [\r2,\n3],\n"c": {"d":\n4}}\n';
  const parsed = parseJsonFile(text);
  if ("faults" in parsed) throw new Error("It has no faults");
  const { lineOf } = parsed.file;
  const paths = [[], ["a"], ["b"], ["b", 0], ["b", 1], ["c"], ["c", "d"], ["c", "e"], ["f"]];
  expect(paths.map((path) => lineOf(path))).toEqual([1, 2, 4, 5, 6, 7, 7, 7, 1]);
});
