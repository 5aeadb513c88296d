import { expect, test } from "vitest";
import { wordsOfMarkdown } from "./words.ts";

test.each([
  ["", 0],
  ["## A *low* wall", 3],
  ["It’s one-way: don't", 4],
  ["می‌روم خانه", 2],
  ["水流 over", 3],
  ["[a weir](https://a.example/b-c/d) and ![a wall](/wall-1.png) at https://b.example/e/f", 6],
])("counts the words of %j", (text, words) => expect(wordsOfMarkdown(text)).toBe(words));
