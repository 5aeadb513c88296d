import { expect, test } from "vitest";
import { minuteMs } from "../time/units.ts";
import { createRouteClock, mergeTimes, percentileMs } from "./route-times.ts";

const noon = Date.UTC(2026, 2, 1, 12);
const get = (path: string, durationMs: number) => ({ method: "GET", path, durationMs });

test("groups requests by method and route, not by path", () => {
  const clock = createRouteClock();
  for (let number = 0; number < 1_000; number += 1) clock.record(get(`/posts/made-up-${number}`, 4), noon);
  clock.record({ method: "POST", path: "/posts/a", durationMs: 9 }, noon);
  clock.record(get("/_next/static/a.js", 9), noon);
  const times = clock.times(noon);
  expect(times.map(({ method, route, count, totalMs }) => [method, route, count, totalMs])).toEqual([
    ["GET", "/posts/[slug]", 1_000, 4_000],
    ["POST", "/posts/[slug]", 1, 9],
  ]);
});

test("percentileMs() is never too low, and less than a fifth too high", () => {
  for (const slowMs of [0.2, 1, 1.3, 7, 48, 730, 12_345, 86_400_000]) {
    const clock = createRouteClock();
    for (let number = 1; number <= 100; number += 1)
      clock.record(get("/", number <= 94 ? slowMs / 3 : number <= 95 ? slowMs : slowMs * 5), noon);
    const [times] = clock.times(noon);
    const p95Ms = times ? percentileMs(times, 0.95) : Number.NaN;
    expect(p95Ms).toBeGreaterThanOrEqual(slowMs);
    expect(p95Ms).toBeLessThan(Math.max(1.001, slowMs * 1.2));
  }
});

test("percentileMs() of a single request is its bucket's upper bound", () => {
  const clock = createRouteClock();
  clock.record(get("/", 100), noon);
  expect(percentileMs(clock.times(noon)[0] ?? expect.fail(), 0.95)).toBeCloseTo(107.6, 0);
});

test("drops a request after 50 to 60 minutes", () => {
  const clock = createRouteClock();
  clock.record(get("/", 5), noon);
  expect(clock.times(noon + 50 * minuteMs)).toHaveLength(1);
  clock.record(get("/lab", 5), noon + 59 * minuteMs);
  expect(clock.times(noon + 59.9 * minuteMs).map(({ route }) => route)).toEqual(["/", "/lab"]);
  expect(clock.times(noon + 60 * minuteMs).map(({ route }) => route)).toEqual(["/lab"]);
});

test("loses nothing when the clock runs back", () => {
  const clock = createRouteClock();
  clock.record(get("/", 5), noon);
  clock.record(get("/", 5), noon - 30 * minuteMs);
  expect(clock.times(noon)[0]?.count).toBe(2);
});

test("mergeTimes() of two nodes equals the times of one node with all requests", () => {
  const [first, second, both] = [createRouteClock(), createRouteClock(), createRouteClock()];
  for (let number = 1; number <= 60; number += 1) {
    const request = get(number % 3 === 0 ? "/lab" : "/", number ** 2);
    (number % 2 === 0 ? first : second).record(request, noon);
    both.record(request, noon);
  }
  const sum = mergeTimes([...first.times(noon), ...second.times(noon)]);
  expect(sum.length).toBe(2);
  for (const one of both.times(noon)) {
    const same = sum.find(({ route }) => route === one.route) ?? expect.fail();
    expect([same.count, same.totalMs, percentileMs(same, 0.95), percentileMs(same, 0.5)]).toEqual([
      one.count,
      one.totalMs,
      percentileMs(one, 0.95),
      percentileMs(one, 0.5),
    ]);
  }
});
