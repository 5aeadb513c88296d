import { expect, test } from "vitest";
import { occasionally } from "./occasionally.ts";

test("What is said occasionally is said at first, and then not again for a while", () => {
  const said: number[] = [];
  const say = occasionally((value: number) => void said.push(value), 3_600_000);
  for (const value of [1, 2, 3]) say(value);
  expect(said).toEqual([1]);
  const often = occasionally((value: number) => void said.push(value), 0);
  for (const value of [4, 5]) often(value);
  expect(said).toEqual([1, 4, 5]);
});
