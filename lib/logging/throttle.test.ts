import { expect, test } from "vitest";
import { throttle } from "./throttle.ts";

test("runs the first call, drops the calls within the interval, and runs again after it", () => {
  const runs: number[] = [];
  const seldom = throttle((value: number) => void runs.push(value), 3_600_000);
  for (const value of [1, 2, 3]) seldom(value);
  expect(runs).toEqual([1]);
  const always = throttle((value: number) => void runs.push(value), 0);
  for (const value of [4, 5]) always(value);
  expect(runs).toEqual([1, 4, 5]);
});
