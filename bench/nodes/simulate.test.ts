import { expect, test } from "vitest";
import { seededRandom } from "../../lib/random/seeded-random.ts";
import { simulate } from "./simulate.ts";

const play = (servers: number, perSecond: number, meanMs: number) => {
  const use = simulate({
    places: [{ name: "place", servers }],
    perSecond,
    route: () => [{ place: "place", meanMs }],
    seconds: 2_000,
    random: seededRandom(1),
  }).get("place");
  if (!use) throw new Error("Every place has its use");
  return use;
};

test("at one server that is busy for a share p of the time, one waits p / (1 - p) times as long as one is served", () => {
  const { busy, meanWaitMs, p99WaitMs } = play(1, 80, 10);
  expect(busy).toBeGreaterThan(0.79);
  expect(busy).toBeLessThan(0.81);
  expect(meanWaitMs).toBeGreaterThan(40 * 0.9);
  expect(meanWaitMs).toBeLessThan(40 * 1.1);
  // The wait is above t with the probability p e^(-(1 - p) t / s).
  const expectedMs = (Math.log(80) * 10) / 0.2;
  expect(p99WaitMs).toBeGreaterThan(expectedMs * 0.85);
  expect(p99WaitMs).toBeLessThan(expectedMs * 1.15);
});

test("at two servers one waits p² / (1 - p²) times as long as one is served", () => {
  const { busy, meanWaitMs } = play(2, 140, 10);
  expect(busy).toBeGreaterThan(0.69);
  expect(busy).toBeLessThan(0.71);
  const expectedMs = (10 * 0.7 ** 2) / (1 - 0.7 ** 2);
  expect(meanWaitMs).toBeGreaterThan(expectedMs * 0.9);
  expect(meanWaitMs).toBeLessThan(expectedMs * 1.1);
});

test("where more come than can be served, the server is always busy and the wait has no end", () => {
  const { busy, meanWaitMs } = play(1, 200, 10);
  expect(busy).toBeGreaterThan(0.99);
  expect(meanWaitMs).toBeGreaterThan(100_000);
});

test("a request goes from one place to the next, and the same seed has the same result", () => {
  const run = () =>
    simulate({
      places: [
        { name: "first", servers: 1 },
        { name: "second", servers: 1 },
      ],
      perSecond: 50,
      route: () => [
        { place: "first", meanMs: 4 },
        { place: "second", meanMs: 10 },
      ],
      seconds: 500,
      random: seededRandom(7),
    });
  const uses = run();
  expect(uses.get("first")?.busy).toBeCloseTo(0.2, 1);
  expect(uses.get("second")?.busy).toBeCloseTo(0.5, 1);
  expect(run()).toEqual(uses);
});
