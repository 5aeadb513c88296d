import { expect, test } from "vitest";
import { ifMatchTags, quotedEtag } from "./etag.ts";

test.each<[string | null, string[] | undefined]>([
  [null, undefined],
  ["*", undefined],
  [" * ", undefined],
  [quotedEtag("one"), ["one"]],
  ['"one", "two"', ["one", "two"]],
  ['W/"one"', ["one"]],
  ['W/"one","two"', ["one", "two"]],
  ['"one, W/two"', ["one, W/two"]],
  ["one", []],
  ["", []],
])("If-Match: %s names %j", (header, texts) => {
  expect(ifMatchTags(header)).toEqual(texts);
});
