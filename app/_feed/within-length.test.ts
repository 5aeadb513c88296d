import { expect, test } from "vitest";
import { withinLength } from "./within-length";

test("makes no texts beyond the length, and leaves out the one that exceeds it", async () => {
  const made: number[] = [];
  const texts = await withinLength(10, [4, 5, 6, 1], async (length) => {
    made.push(length);
    return { text: "a".repeat(length) };
  });
  expect(texts.map((made) => made?.text)).toEqual(["aaaa", "aaaaa", undefined, undefined]);
  expect(made).toEqual([4, 5, 6]);
});

test("continues after an item without a text", async () => {
  const texts = await withinLength(2, ["", "b"], async (text) => (text ? { text } : undefined));
  expect(texts).toEqual([undefined, { text: "b" }]);
});

test("counts a text as it is escaped", async () => {
  const texts = await withinLength(10, ['""', "b"], async (text) => ({ text }));
  expect(texts).toEqual([undefined, undefined]);
});
