import { expect, test } from "vitest";
import { createRouteClock, summed, withinMs } from "./route-times.ts";

const minuteMs = 60_000;
const noon = Date.UTC(2026, 2, 1, 12);
const get = (path: string, durationMs: number) => ({ method: "GET", path, durationMs });

test("Requests are kept by method and route, whatever their paths", () => {
  const clock = createRouteClock();
  for (let number = 0; number < 1_000; number += 1) clock.noted(get(`/posts/made-up-${number}`, 4), noon);
  clock.noted({ method: "POST", path: "/posts/a", durationMs: 9 }, noon);
  clock.noted(get("/_next/static/a.js", 9), noon);
  const times = clock.times(noon);
  expect(times.map(({ method, route, count, totalMs }) => [method, route, count, totalMs])).toEqual([
    ["GET", "/posts/[slug]", 1_000, 4_000],
    ["POST", "/posts/[slug]", 1, 9],
  ]);
});

test("The time within which 95 of 100 were answered is never told too short, nor by a fifth too long", () => {
  for (const slowMs of [0.2, 1, 1.3, 7, 48, 730, 12_345, 86_400_000]) {
    const clock = createRouteClock();
    for (let number = 1; number <= 100; number += 1)
      clock.noted(get("/", number <= 94 ? slowMs / 3 : number <= 95 ? slowMs : slowMs * 5), noon);
    const [times] = clock.times(noon);
    const told = times ? withinMs(times, 0.95) : Number.NaN;
    expect(told).toBeGreaterThanOrEqual(slowMs);
    expect(told).toBeLessThan(Math.max(1.001, slowMs * 1.2));
  }
});

test("One request is all there is to know", () => {
  const clock = createRouteClock();
  clock.noted(get("/", 100), noon);
  expect(withinMs(clock.times(noon)[0] ?? expect.fail(), 0.95)).toBeCloseTo(107.6, 0);
});

test("A request is forgotten within the hour, and not within 50 minutes", () => {
  const clock = createRouteClock();
  clock.noted(get("/", 5), noon);
  expect(clock.times(noon + 50 * minuteMs)).toHaveLength(1);
  clock.noted(get("/lab", 5), noon + 59 * minuteMs);
  expect(clock.times(noon + 59.9 * minuteMs).map(({ route }) => route)).toEqual(["/", "/lab"]);
  expect(clock.times(noon + 60 * minuteMs).map(({ route }) => route)).toEqual(["/lab"]);
});

test("A clock that runs back loses nothing", () => {
  const clock = createRouteClock();
  clock.noted(get("/", 5), noon);
  clock.noted(get("/", 5), noon - 30 * minuteMs);
  expect(clock.times(noon)[0]?.count).toBe(2);
});

test("The times of two nodes are as those of one that has had all the requests", () => {
  const [first, second, both] = [createRouteClock(), createRouteClock(), createRouteClock()];
  for (let number = 1; number <= 60; number += 1) {
    const request = get(number % 3 === 0 ? "/lab" : "/", number ** 2);
    (number % 2 === 0 ? first : second).noted(request, noon);
    both.noted(request, noon);
  }
  const sum = summed([...first.times(noon), ...second.times(noon)]);
  expect(sum.length).toBe(2);
  for (const one of both.times(noon)) {
    const same = sum.find(({ route }) => route === one.route) ?? expect.fail();
    expect([same.count, same.totalMs, withinMs(same, 0.95), withinMs(same, 0.5)]).toEqual([
      one.count,
      one.totalMs,
      withinMs(one, 0.95),
      withinMs(one, 0.5),
    ]);
  }
});
