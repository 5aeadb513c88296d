import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import {
  besideBest,
  compare,
  keysOf,
  narrow,
  requireSameDecisions,
  type Subject,
  subject,
} from "./decisions.ts";

/** Admits a fixed number of requests per key, and never answers at once. */
function counting(limit: number): Subject {
  const counts = new Map<string, number>();
  return subject({
    consume: async (key) => {
      await Promise.resolve();
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return count;
    },
    isAllowed: (count) => count <= limit,
  });
}

test("takes the keys in turn, continues where the last load ended, and keeps `inFlight` decisions under way", async () => {
  const keysConsumed: string[] = [];
  let underWay = 0;
  let most = 0;
  const decide = subject({
    consume: async (key) => {
      keysConsumed.push(key);
      underWay += 1;
      most = Math.max(most, underWay);
      await sleep(1);
      underWay -= 1;
      return key;
    },
    isAllowed: (key) => key !== "post:1",
  });
  const keys = keysOf(3);
  expect(await decide({ decisions: 4, keys, inFlight: 2 })).toBe(3);
  expect(most).toBe(2);
  expect(await decide({ decisions: 2, keys, inFlight: 1 })).toBe(1);
  expect(keysConsumed).toEqual([0, 1, 2, 0, 1, 2].map((index) => `post:${index}`));
});

test("counts a rejection that `isRefusal` accepts as a refusal; any other error ends the run and names its limiter", async () => {
  const rejecting = (message: string) =>
    subject({
      consume: () => Promise.reject(new Error(message)),
      isAllowed: () => true,
      isRefusal: (error) => error instanceof Error && error.message === "refused",
    });
  const load = { decisions: 3, keys: keysOf(1), inFlight: 2 };
  expect(await rejecting("refused")(load)).toBe(0);
  await expect(compare(1, { peer: rejecting("gone") }, load)).rejects.toThrow(/^peer could not decide.*gone/);
});

test("does not compare a limiter that refuses while the others admit", async () => {
  const load = { decisions: 3, keys: keysOf(1), inFlight: 1 };
  await expect(compare(1, { a: counting(1_000), b: counting(4) }, load)).rejects.toThrow("b refused 2 of 3");
  const speeds = await compare(2, { a: counting(1_000), b: counting(1_000) }, load);
  expect([speeds.a.length, speeds.b.length]).toEqual([2, 2]);
});

test("detects a limiter that admits one too many or too few", async () => {
  await requireSameDecisions({ a: counting(narrow.limit) });
  for (const wrong of [narrow.limit - 1, narrow.limit + 1])
    await expect(requireSameDecisions({ a: counting(wrong) })).rejects.toThrow("a admitted");
});

test("picks as the best of the others the one that leaves us the smallest ratio", () => {
  const best = besideBest([10, 10, 10], { slow: [1, 1, 1], fast: [5, 20, 20], once: [1, 1, 100] });
  expect(best).toEqual({ name: "fast", value: { median: 0.5, low: 0.5, high: 1.25 } });
});
