/**
 * By how much the limit is exceeded, with messages as late as the test sets. Each round is one delay: what is granted in it
 * no other has heard of before it ends, and all of it when the next one begins.
 */
import { afterEach, describe, expect, test } from "vitest";
import { type Algorithm, fixedWindow, leakyBucket, slidingLog, tokenBucket } from "../lib/limiter/index.ts";
import { allHear, type PeerService, startPeerServices } from "../testing/peer-services.ts";

const begin = Date.UTC(2026, 5, 10, 12);
const windowMs = 1_000;
const limit = 6;

let close: (() => Promise<void>) | undefined;
afterEach(() => close?.());

async function start<S>(count: number, makeAlgorithm: () => Algorithm<S>) {
  const started = await startPeerServices(count, makeAlgorithm, begin);
  close = started.close;
  return started;
}

/** Sends each service so many requests before any hears of another; what each has granted. */
async function round(services: readonly PeerService[], load: number): Promise<number> {
  const requests = services.flatMap((service) => Array.from({ length: load }, () => service.consume("key")));
  const granted = (await Promise.all(requests)).filter(Boolean).length;
  await allHear(services);
  return granted;
}

const cases = [1, 2, 4].flatMap((count) => [1, 2, 5, limit, 2 * limit].map((load) => ({ count, load })));

test.each(cases)(
  "$count services with $load requests each within a delay grant in a window exactly the most that the theorem allows",
  async ({ count, load }) => {
    const { services, clocks } = await start(count, () => fixedWindow({ limit, windowMs, anchor: "clock" }));
    for (const startsAt of [begin, begin + 5 * windowMs]) {
      for (const clock of clocks) clock.now = startsAt;
      let granted = 0;
      // What is really granted, worked out: all know of the same, and take what they still think there is.
      let expected = 0;
      for (let passes = 0; passes <= limit; passes += 1) {
        expected += count * Math.min(load, Math.max(0, limit - expected));
        granted += await round(services, load);
      }
      expect(granted).toBe(expected);
      expect(granted).toBeLessThanOrEqual(limit + (count - 1) * Math.min(limit, load));
      expect(granted).toBeGreaterThanOrEqual(limit);
    }
  },
);

test.each([
  { name: "leaky bucket", make: () => leakyBucket({ capacity: limit, leakPerSecond: 10 }) },
  { name: "token bucket", make: () => tokenBucket({ capacity: limit, refillPerSecond: 10 }) },
])(
  "Services with a $name each keep to its rate in the long run, however late they hear",
  async ({ make }) => {
    const [count, load, delayMs, rounds] = [3, 4, 130, 40];
    const { services, clocks } = await start(count, make);
    const granted: number[] = [];
    for (let index = 0; index < rounds; index += 1) {
      granted.push(await round(services, load));
      for (const clock of clocks) clock.now += delayMs;
    }
    for (const [from] of granted.entries())
      for (let until = from + 1; until <= rounds; until += 1) {
        const seconds = ((until - 1 - from) * delayMs) / 1000;
        const total = granted.slice(from, until).reduce((sum, each) => sum + each, 0);
        expect(total).toBeLessThanOrEqual(limit + 10 * seconds + (count - 1) * load);
      }
    const all = granted.reduce((sum, each) => sum + each, 0);
    expect(all).toBeGreaterThanOrEqual((10 * (rounds - 1) * delayMs) / 1000);
  },
);

test("exceed a sliding log in no interval by more than what the others grant within a delay", async () => {
  const [count, load, delayMs, rounds] = [3, 2, 170, 30];
  const { services, clocks } = await start(count, () => slidingLog({ limit, windowMs }));
  const granted: number[] = [];
  for (let index = 0; index < rounds; index += 1) {
    granted.push(await round(services, load));
    for (const clock of clocks) clock.now += delayMs;
  }
  const roundsOfAWindow = Math.ceil(windowMs / delayMs);
  for (const [from] of granted.entries()) {
    const total = granted.slice(from, from + roundsOfAWindow).reduce((sum, each) => sum + each, 0);
    expect(total).toBeLessThanOrEqual(limit + (count - 1) * load);
  }
  expect(Math.max(...granted)).toBeGreaterThan(0);
});

describe("services without messages", () => {
  test.each([2, 4])("grant the limit each, and no more, when there are %d", async (count) => {
    const alone = await Promise.all(
      Array.from({ length: count }, () =>
        startPeerServices(1, () => fixedWindow({ limit, windowMs, anchor: "clock" }), begin),
      ),
    );
    close = async () => void (await Promise.all(alone.map((one) => one.close())));
    let granted = 0;
    for (const { services } of alone) granted += await round(services, 3 * limit);
    expect(granted).toBe(count * limit);
  });
});
