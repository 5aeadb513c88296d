import { expect, test } from "vitest";
import { limitsFrom } from "../limits/index.ts";
import { scoringFrom } from "../ratings/tally/scoring-settings.ts";
import { parseSettings } from "../settings/env.ts";
import { areScored, type ComparedScore, compareScores, type ScoredRequest } from "./compare-scores.ts";
import { labSettings } from "./settings.ts";
import { decideBySite } from "./site-limits.ts";
import { knownTraces, requestsOf } from "./traces.ts";

const compare = (requests: readonly ScoredRequest[], environment: Record<string, string> = {}) => {
  const settings = parseSettings(environment);
  const { algorithms } = labSettings({}, settings);
  return compareScores(requests, {
    algorithms: algorithms.filter(({ name }) => name === "leaky-bucket" || name === "ema"),
    limits: limitsFrom(settings),
    scoring: scoringFrom(settings),
    hasPast: true,
  });
};
const scored = (name: keyof typeof knownTraces): readonly ScoredRequest[] => {
  const requests = requestsOf(knownTraces[name]);
  if (!areScored(requests)) throw new Error(`The trace ${name} has no scores.`);
  return requests;
};

test("a flood pulls the plain average down, and each limit keeps the score nearer to the readers'", () => {
  const { unlimited, site, rows, bars, flood } = compare(scored("flood"));
  const end = ({ averages, scores }: ComparedScore) => ({
    average: averages.at(-1),
    score: scores.at(-1),
  });
  expect(Number(end(unlimited).average)).toBeLessThan(2.6);
  expect(Number(end(unlimited).score)).toBeGreaterThan(4);
  expect(site.held).toBeGreaterThan(500);
  for (const row of rows) {
    expect(row.refusing.refused).toBe(row.overLimit.reduce((sum, some) => sum + some, 0));
    expect(Number(end(row.holding).score)).toBeGreaterThanOrEqual(Number(end(unlimited).score) - 0.01);
  }
  expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(scored("flood").length);
  const times = scored("flood").flatMap(({ at, kind }) => (kind === "flood" ? [at] : []));
  expect(flood).toEqual({ from: Math.min(...times), to: Math.max(...times) });
  expect(compare(scored("flood").filter(({ kind }) => kind !== "flood")).flood).toBeNull();
});

test("each of the site's limits alone is one of those that decide together", () => {
  const { siteAlone } = compare(scored("flood"));
  const heldBy = Object.fromEntries(siteAlone.map(({ name, end }) => [name, end.held]));
  expect(heldBy).toMatchObject({ "rating.post": 0, "rating.user": 0, "rating.change": 0 });
  expect(heldBy.floods).toBeGreaterThan(0);
});

test("honest readers are neither refused nor set aside by the site's limits", () => {
  const { site } = compare(scored("surge"));
  expect(site).toMatchObject({ refused: 0, held: 0 });
});

test("traces of times alone have no scores to compare", () => {
  expect(areScored(requestsOf(knownTraces.locker))).toBe(false);
});

const rapid = Array.from({ length: 10 }, (_, index) => ({ at: index, score: 0 as const, user: 1 }));
const others = rapid.map((request, index) => ({ ...request, user: index }));
const decided = (LIMITS: object, requests = others) =>
  decideBySite(limitsFrom(parseSettings({ LIMITS: JSON.stringify(LIMITS) })), requests).map(
    ({ allowed }) => allowed,
  );

test("several limits of the site decide together, and a rating that one refuses counts in none", () => {
  const both = decided({
    "rating.post": { algorithm: "leaky-bucket", capacity: 5, leakPerSecond: 1 },
    "rating.post.second": { mode: "enforce", algorithm: "fixed-window", limit: 3, windowMs: 1_000 },
  });
  expect(both.filter(Boolean)).toHaveLength(3);
});

test("counts a user's further ratings as changes, under a limit apart from that of first ratings", () => {
  const limits = {
    "rating.post": { algorithm: "leaky-bucket", capacity: 2, leakPerSecond: 1 },
    "rating.change": { capacity: 1, leakPerSecond: 1 },
  };
  const again = [0, 0, 0, 1, 2].map((user, at) => ({ at, score: 0 as const, user }));
  expect(decided(limits, again)).toEqual([true, true, false, true, false]);
  expect(decided({ "rating.change": { capacity: 1, leakPerSecond: 1 } })).not.toContain(false);
});

test("a limit in shadow refuses nothing", () => {
  const shadow = { mode: "shadow", algorithm: "fixed-window", limit: 1, windowMs: 1_000 };
  expect(decided({ "rating.post.second": shadow })).not.toContain(false);
});
