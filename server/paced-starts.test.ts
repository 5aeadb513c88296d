import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createPacedStarts } from "./paced-starts.ts";

test("starts requests for 10 ms in a turn of the event loop, then one waiting request per turn, in order", async () => {
  let now = 0;
  const mayStart = createPacedStarts(() => now);
  const started: number[] = [];
  const arrive = async (number: number) => {
    await mayStart();
    started.push(number);
    now += 4;
  };
  for (const number of [1, 2, 3, 4, 5]) {
    void arrive(number);
    for (let microtask = 0; microtask < 5; microtask += 1) await null;
  }
  expect(started).toEqual([1, 2, 3]);
  await nextTurn();
  expect(started).toEqual([1, 2, 3, 4]);
  void arrive(6);
  await nextTurn();
  expect(started).toEqual([1, 2, 3, 4, 5]);
  await nextTurn();
  expect(started).toEqual([1, 2, 3, 4, 5, 6]);
  await nextTurn();
  void arrive(7);
  for (let microtask = 0; microtask < 5; microtask += 1) await null;
  expect(started.at(-1)).toBe(7);
});
