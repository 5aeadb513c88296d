/**
 * Simulates a million ratings an hour and ten thousand reads a second.
 * It uses the measurements of the other parts of `npm run bench:nodes`; `docs/capacity.md` has its assumptions and
 * limits.
 */
import { availableParallelism, loadavg } from "node:os";
import { seededRandom } from "../lib/random/seeded-random.ts";
import { maximumAgeMs, renewalAgeMs } from "../server/page-cache.ts";
import { type Measured, readMeasured } from "./nodes/measured.ts";
import { type Station, type Stop, simulate, type Use } from "./nodes/simulate.ts";

const readsPerSecond = 10_000;
const ratingsPerSecond = 1_000_000 / 3_600;
/** How much more there is in the busiest moments than on average. */
const peak = 5;
/** The share of readers with a session. Their pages never come from memory. */
const shareWithSession = 0.05;
/** How much of its time a processor may be busy, so that waits stay short. */
const busyAtMost = 0.7;
const simulatedSeconds = 20;
const lock = "the hottest post's lock";

interface Scenario {
  ratingsPerSecond: number;
  posts: number;
}

const scenarios: readonly Scenario[] = [
  { ratingsPerSecond, posts: 1_000 },
  { ratingsPerSecond: ratingsPerSecond * peak, posts: 1_000 },
  { ratingsPerSecond, posts: 10_000 },
  { ratingsPerSecond: ratingsPerSecond * peak, posts: 10_000 },
];

export async function report(): Promise<{ text: string; missed: number }> {
  const measured = readMeasured();
  const lines = [
    "What 10,000 reads a second and a million ratings an hour need, simulated from what was measured",
    `  measured on ${availableParallelism()} processors; ${loadavg()[0]?.toFixed(1)} processes, this one's too, wanted them in the last minute`,
    `  a rating's transaction lasts ${measured.transactionMs.toFixed(2)} ms alone: ` +
      `at most ${(1_000 / measured.transactionMs).toFixed(0)} ratings a second of one post ` +
      `(${measured.hotPostPerSecond.toFixed(0)} in the part above, its processors shared)`,
    ...scenarios.flatMap((scenario) => linesOf(scenario, measured)),
  ];
  return { text: lines.join("\n"), missed: 0 };
}

/**
 * The results with each page on all nodes, and with each on one.
 * That node then gets all visitors' requests for the page.
 */
function linesOf(scenario: Scenario, measured: Measured): string[] {
  return [false, true].flatMap((isByPage) => linesWith(isByPage, scenario, measured));
}

function linesWith(isByPage: boolean, scenario: Scenario, measured: Measured): string[] {
  const { ratingsPerSecond, posts } = scenario;
  const { places, uses, hitRate } = play(isByPage, scenario, measured);
  return [
    `  ${ratingsPerSecond.toFixed(0)} ratings a second, ${posts} posts, ${isByPage ? "each page from one node" : "each page from any node"}: ` +
      `${(hitRate * 100).toFixed(0)} % of visitors' pages from memory`,
    ...places.map(({ name, servers }) => {
      const { busy, meanWaitMs, p99WaitMs } = uses.get(name) ?? { busy: 0, meanWaitMs: 0, p99WaitMs: 0 };
      const how = [
        `${(busy * 100).toFixed(0)} % busy`,
        `wait ${timeText(meanWaitMs)}`,
        `p99 ${timeText(p99WaitMs)}`,
      ];
      const count = name === lock ? "" : `${servers}`;
      return `    ${name.padEnd(24)} ${count.padStart(3)}   ${how.join(", ")}`;
    }),
  ];
}

/** Finds how many processors each part needs, and plays the traffic through them. */
function play(isByPage: boolean, scenario: Scenario, measured: Measured) {
  let copies = 1;
  let places = placesFor(copies, scenario, measured);
  // The more nodes there are, the more often a page is rendered, by each for itself.
  while (!isByPage && nodesIn(places) > copies) {
    copies = nodesIn(places);
    places = placesFor(copies, scenario, measured);
  }
  return { places, ...playWith(places, copies, scenario, measured) };
}

/** The processors that each part needs when each page has so many copies. */
function placesFor(copies: number, scenario: Scenario, measured: Measured): Station[] {
  // With as many of each as a site could need, to see how much work there is.
  const plenty = ["nginx", "nodes", "PostgreSQL", "Redis", lock].map((name) => ({ name, servers: 10_000 }));
  const { uses } = playWith(plenty, copies, scenario, measured);
  return plenty.map(({ name }) => {
    const used = (uses.get(name)?.busy ?? 0) * 10_000;
    return { name, servers: name === lock ? 1 : Math.max(1, Math.ceil(used / busyAtMost)) };
  });
}

const nodesIn = (places: readonly Station[]) => places.find(({ name }) => name === "nodes")?.servers ?? 1;

function playWith(
  places: readonly Station[],
  copiesOfEach: number,
  { ratingsPerSecond, posts }: Scenario,
  measured: Measured,
): { uses: Map<string, Use>; hitRate: number } {
  const random = seededRandom(1);
  const postByChance = zipf(posts, random);
  /** When each copy of each post was begun. */
  const begunAt = new Float64Array(copiesOfEach * posts).fill(Number.NEGATIVE_INFINITY);
  let [visits, hits] = [0, 0];
  const perSecond = readsPerSecond + ratingsPerSecond;

  function route(nowMs: number): Stop[] {
    const post = postByChance();
    if (random() < ratingsPerSecond / perSecond) return ratingStops(measured, post === 0);
    if (random() < shareWithSession)
      return [
        { place: "nginx", meanMs: measured.nginxPassMs },
        { place: "nodes", meanMs: measured.nodeUserPageMs },
        { place: "PostgreSQL", meanMs: measured.databaseUserPageMs },
      ];
    visits += 1;
    const nginx = { place: "nginx", meanMs: measured.nginxHitMs };
    const copy = Math.floor(random() * copiesOfEach) * posts + post;
    const ageMs = nowMs - (begunAt[copy] ?? 0);
    if (ageMs < maximumAgeMs) hits += 1;
    if (ageMs < renewalAgeMs) return [nginx, { place: "nodes", meanMs: measured.nodeHitMs }];
    begunAt[copy] = nowMs;
    return [
      nginx,
      { place: "nodes", meanMs: measured.nodePageMs },
      { place: "PostgreSQL", meanMs: measured.databasePageMs },
    ];
  }

  const uses = simulate({ places, perSecond, route, seconds: simulatedSeconds, random });
  return { uses, hitRate: hits / visits };
}

function ratingStops(measured: Measured, isHottest: boolean): Stop[] {
  return [
    { place: "nginx", meanMs: measured.nginxPassMs },
    { place: "nodes", meanMs: measured.nodeRatingMs },
    { place: "Redis", meanMs: measured.redisRatingMs },
    { place: "PostgreSQL", meanMs: measured.databaseRatingMs },
    ...(isHottest ? [{ place: lock, meanMs: measured.transactionMs }] : []),
  ];
}

/** Posts from 0 on by chance, the n-th of them an n-th as often as the first. */
function zipf(posts: number, random: () => number): () => number {
  const sums: number[] = [];
  let sum = 0;
  for (let rank = 1; rank <= posts; rank += 1) {
    sum += 1 / rank;
    sums.push(sum);
  }
  return () => {
    const at = random() * sum;
    let [low, high] = [0, posts - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) > at) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

function timeText(ms: number): string {
  return ms < 1_000 ? `${ms.toFixed(1)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
