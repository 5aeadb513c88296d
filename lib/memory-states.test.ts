import { expect, test } from "vitest";
import { decide, forget } from "./guard.ts";
import { leakyBucket } from "./limiter/index.ts";
import type { Policy } from "./limits.ts";
import { memoryStates } from "./memory-states.ts";

const policy: Policy = { name: "rating.post", algorithm: leakyBucket({ capacity: 2, leakPerSecond: 1 }) };

test("states in memory admit exactly what the limit allows, and again after the wait", () => {
  const states = memoryStates();
  const allowedAt = (now: number) => decide(states, [[policy, 7]], now).refusal === undefined;
  expect([0, 0, 0, 999, 1000, 1000].map(allowedAt)).toEqual([true, true, false, false, true, false]);
});

test("a subject that is forgotten starts anew, and another one is not touched", () => {
  const states = memoryStates();
  const now = Date.now();
  for (const subject of [1, 1, 2, 2]) decide(states, [[policy, subject]], now);
  forget(states, policy, 1);
  expect(decide(states, [[policy, 1]], now).refusal).toBeUndefined();
  expect(decide(states, [[policy, 2]], now).refusal).toBeDefined();
});
