import { expect, test } from "vitest";
import { isSecondSignal } from "./second-signal.ts";

test.each([
  [0, false],
  [299, false],
  [300, true],
])("a signal %d ms after the first is a second one: %s", (laterMs, isSecond) => {
  expect(isSecondSignal(1_000, 1_000 + laterMs)).toBe(isSecond);
});
