import { expect, test } from "vitest";
import { parseJsonFile } from "./json-file.ts";

test("The line of what stands at a path is found, whatever ends lines", () => {
  const text = '{\n"a": 1,\r\n\r\n"b": [\r2,\n3],\n"c": {"d":\n4}}\n';
  const parsed = parseJsonFile(text);
  if ("faults" in parsed) throw new Error("It has no faults");
  const { lineOf } = parsed.file;
  const paths = [[], ["a"], ["b"], ["b", 0], ["b", 1], ["c"], ["c", "d"], ["c", "e"], ["f"]];
  expect(paths.map((path) => lineOf(path))).toEqual([1, 2, 4, 5, 6, 7, 7, 7, 1]);
});

test("A value far down a file of many lines is found as fast as in a file of one", () => {
  const values = Array.from({ length: 10_000 }, () => '{"name": 1}');
  const after = (blank: string) => `${blank.repeat(200_000)}[${values.join(",")}]`;
  expect(quickestMs(after("\n"))).toBeLessThan(8 * quickestMs(after(" ")));
}, 60_000);

/** The quickest of several times: what else the machine does makes it slower only. */
function quickestMs(text: string): number {
  const times = Array.from({ length: 3 }, () => {
    const startedAt = performance.now();
    expect(parseJsonFile(text)).toHaveProperty("file");
    return performance.now() - startedAt;
  });
  return Math.min(...times);
}
