import { describe, expect, test } from "vitest";
import { floods } from "../../../bench/campaign/floods.ts";
import { honestKinds } from "../../../bench/campaign/honest-kinds.ts";
import { type Rating, usual } from "../../../bench/campaign/traffic.ts";
import { seededRandom } from "../../random/seeded-random.ts";
import type { Score } from "../score/score.ts";
import { type DetectorState, detect, firstState, withoutRating } from "./flood-detector.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Takes in ratings of new users, and returns which are excess, run-ups left out. */
function excessOf(ratings: readonly Rating[]): boolean[] {
  let state = firstState(ratings[0]?.at ?? 0);
  return ratings.map(({ at, score, registeredAt }) => {
    const accountAgeMs = registeredAt === undefined ? null : at - registeredAt;
    const { next, isExcess } = detect(state, { at, score: score ?? 0, accountAgeMs }, { isNew: true });
    state = next;
    return isExcess;
  });
}

function share(of: readonly boolean[]): number {
  return of.filter(Boolean).length / of.length;
}

const purelyHonest = honestKinds.filter(({ name }) => name !== "Surge with fakes");

describe.each(purelyHonest.map((scenario) => [scenario.name, scenario] as const))("%s", (_, scenario) => {
  test("is not a flood", () => {
    const { ratings } = scenario.traffic(seededRandom(11), 1);
    expect(share(excessOf(ratings))).toBeLessThan(0.01);
  });
});

test("holds most of each flood, and few of the honest ratings beside it", () => {
  // "Critics" is about the run-up: its 120 zeros hardly exceed the floor of a hundred.
  for (const { name, traffic } of floods.filter((flood) => flood.name !== "Critics")) {
    const { ratings, start } = traffic(seededRandom(11), 1);
    const excess = excessOf(ratings);
    const of = (isHonest: boolean) =>
      share(
        excess.filter(
          (_, index) => ratings[index]?.honest === isHonest && (ratings[index]?.at ?? 0) >= start,
        ),
      );
    expect(of(true), name).toBeLessThan(0.05);
    // The run-up is not in these.
    expect(of(false), name).toBeGreaterThan(0.75);
  }
});

test("finds no flood in a hundred ratings at once, and one in a thousand, with its run-up", () => {
  const past = Array.from({ length: 200 }, (_, index) => given(index * hour, index % 5 === 0 ? 4 : 5));
  const burst = (count: number) => Array.from({ length: count }, () => given(200 * hour, 0));
  expect(excessOf([...past, ...burst(100)]).some(Boolean)).toBe(false);
  expect(excessOf([...past, ...burst(1_000)]).filter(Boolean).length).toBeGreaterThan(890);

  let state = firstState(0);
  const runUps = [...past, ...burst(1_000)].flatMap(({ at, score }) => {
    const { next, runUp } = detect(state, { at, score: score ?? 0, accountAgeMs: null }, { isNew: true });
    state = next;
    return runUp ? [runUp] : [];
  });
  expect(runUps).toHaveLength(1);
  expect(runUps[0]).toMatchObject({ score: 0, length: expect.toBeOneOf([98, 99, 100]) });
});

test("leaves the ratings of earlier critics out of the run-up of a flood with the same score", () => {
  const people = Array.from({ length: 600 }, (_, index) => given(index * 12 * minute, 5));
  const critics = Array.from({ length: 100 }, (_, index) => given(60 * hour + index * 30 * minute, 0));
  const puppets = Array.from({ length: 150 }, () => given(115 * hour, 0));
  let state = firstState(0);
  const runUps = [...people, ...critics, ...puppets]
    .toSorted((a, b) => a.at - b.at)
    .flatMap(({ at, score }) => {
      const arrival = { at, score: score ?? 0, accountAgeMs: 400 * day };
      const { next, runUp } = detect(state, arrival, { isNew: true });
      state = next;
      return runUp ? [runUp] : [];
    });
  expect(runUps).toHaveLength(1);
  expect(runUps[0]?.length).toBeLessThan(110);
});

test("one account that rates and withdraws all day begins no flood and hides none", () => {
  let state = firstState(0);
  const step = (at: number, score: Score, isNew: boolean) => {
    const detection = detect(state, { at, score, accountAgeMs: 2 * day }, { isNew });
    state = detection.next;
    return detection.isExcess;
  };
  for (let index = 0; index < 5_000; index += 1) {
    expect(step(index * 1_000, 5, index === 0)).toBe(false);
    state = withoutRating(state, { score: 5, accountAgeMs: 2 * day });
  }
  const results = Array.from({ length: 1_000 }, (_, index) => {
    const excess = step(5_000_000 + index * 1_000, 0, true);
    step(5_000_000 + index * 1_000, 5, false);
    state = withoutRating(state, { score: 5, accountAgeMs: 2 * day });
    return excess;
  });
  expect(share(results)).toBeGreaterThan(0.85);
});

test("lets honest ratings pass soon after a flood of their score", () => {
  const random = seededRandom(3);
  const people = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) =>
      given(from + index * 2 * minute, random() < usual[0] ? 0 : 5),
    );
  const flood = Array.from({ length: 2_000 }, (_, index) => given(800 * minute + index, 5));
  const excess = excessOf([...people(0, 400), ...flood, ...people(801 * minute, 400)]);
  expect(share(excess.slice(400, 2_400))).toBeGreaterThan(0.9);
  expect(share(excess.slice(-200))).toBeLessThan(0.01);
});

test("keeps its state as JSON of constant size, and decides the same from it", () => {
  const ratings = floods[0]?.traffic(seededRandom(5), 0.2).ratings ?? [];
  let [kept, parsed] = [firstState(0), firstState(0)];
  let longest = 0;
  for (const { at, score } of ratings) {
    const arrival = { at, score: score ?? 0, accountAgeMs: (at % 900) * day };
    const [one, other] = [kept, parsed].map((state) => detect(state, arrival, { isNew: true }));
    if (!one || !other) throw new Error("Unreachable");
    expect(other).toEqual(one);
    kept = one.next;
    const json = JSON.stringify(other.next);
    longest = Math.max(longest, json.length);
    const reread: DetectorState = JSON.parse(json);
    parsed = reread;
  }
  expect(longest).toBeLessThan(2_500);
});

test("a clock that runs back stands still", () => {
  let state = firstState(10 * day);
  for (let index = 0; index < 300; index += 1) {
    const { next } = detect(
      state,
      { at: 10 * day - index * hour, score: 0, accountAgeMs: null },
      { isNew: true },
    );
    expect(next.at).toBe(10 * day);
    state = next;
  }
  expect(detect(state, { at: 10 * day, score: 0, accountAgeMs: null }, { isNew: true }).isExcess).toBe(true);
});

function given(at: number, score: Score): Rating {
  return { at, score, userId: 0, honest: true };
}
