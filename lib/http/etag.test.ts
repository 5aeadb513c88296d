import { expect, test } from "vitest";
import { ifMatchTexts, quotedEtag } from "./etag.ts";

test.each<[string | null, string[] | undefined]>([
  [null, undefined],
  ["*", undefined],
  [" * ", undefined],
  [quotedEtag("one"), ["one"]],
  ['"one", "two"', ["one", "two"]],
  ['W/"one"', []],
  ['W/"one","two"', ["two"]],
  ['"one, W/two"', ["one, W/two"]],
  ["one", []],
  ["", []],
])("If-Match: %s names %j", (header, texts) => {
  expect(ifMatchTexts(header)).toEqual(texts);
});
