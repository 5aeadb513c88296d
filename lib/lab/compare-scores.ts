/**
 * Where each limit leads the score of a post.
 * The ratings of a trace are played through the blog's own tally: those that a limit lets through, and all of them with
 * those over the limit set aside. Pure.
 */
import type { Reason } from "../limiter/index.ts";
import type { Score } from "../ratings/score/score.ts";
import { type PlayedRating, playRatings } from "../ratings/tally/play-ratings.ts";
import type { TallySettings } from "../ratings/tally/tally.ts";
import { dayMs } from "../time/units.ts";
import type { LabAlgorithm } from "./settings.ts";
import { simulate, type TraceRequest } from "./simulate.ts";
import { decideBySite, decidingLimits, floodDetection, onlyLimits, type SiteLimits } from "./site-limits.ts";
import { likedScores } from "./traffic.ts";

/** A request that is known to be a rating. */
export interface ScoredRequest extends TraceRequest {
  score: Score;
}

export interface ComparedScore {
  /** How many ratings were refused, and how many are set aside at the end. */
  refused: number;
  held: number;
  /** At each of the comparison's times; null where there is none yet. */
  averages: (number | null)[];
  scores: (number | null)[];
}

/** The result of a comparison. */
export interface ScoreEnd extends Pick<ComparedScore, "refused" | "held"> {
  average: number | null;
  score: number | null;
}

export interface ScoreComparison {
  from: number;
  to: number;
  /** Whether the post was rated before the trace. */
  hasPast: boolean;
  /** The times of the averages and scores. */
  times: number[];
  /** Equal spans of the time, with their ratings and those known to be of a flood. */
  bars: { from: number; to: number; count: number; flooded: number }[];
  /** The first and the last rating known to be of a flood; null without one. */
  flood: { from: number; to: number } | null;
  unlimited: ComparedScore;
  /** The site's limits and flood detection together, and each of several alone. */
  site: ComparedScore;
  siteAlone: { name: string; end: ScoreEnd }[];
  rows: ComparedRow[];
}

export interface ComparedRow {
  name: string;
  /** With the ratings over the limit refused, and with them set aside. */
  refusing: ComparedScore;
  holding: ComparedScore;
  /** The ratings over the limit in each bar. */
  overLimit: number[];
}

interface CompareSettings {
  algorithms: readonly Pick<LabAlgorithm, "name" | "algorithm">[];
  /** The limits of the site that decide. */
  limits: SiteLimits;
  scoring: TallySettings;
  /** Whether the post was rated for a month before the trace. */
  hasPast: boolean;
}

const pointsPerLine = 60;
const barsCount = 50;
/** A month of ten ratings a day. */
const pastCount = 300;
const pastMs = 30 * dayMs;
/** Users without a name, and those of the past, are numbered from here on. */
const firstUnnamed = 1_000_000_000;

interface DecidedRating {
  allowed: boolean;
  overLimit: Reason | undefined;
}

/** Whether every request is a rating whose score is known. */
export function areScored(requests: readonly TraceRequest[]): requests is readonly ScoredRequest[] {
  return requests.length > 0 && requests.every(({ score }) => score !== undefined);
}

export function compareScores(
  requests: readonly ScoredRequest[],
  { algorithms, limits, scoring, hasPast }: CompareSettings,
): ScoreComparison {
  const from = requests[0]?.at ?? 0;
  const to = Math.max(from + 1, (requests.at(-1)?.at ?? from) + 1);
  const past = hasPast ? pastUntil(from) : [];
  const plain = { ...scoring, detectsFloods: false };
  const times = Array.from(
    { length: pointsPerLine + 1 },
    (_, index) => from + ((to - from) * index) / pointsPerLine,
  );
  const play = (decided: readonly DecidedRating[], settings: TallySettings) =>
    played(requests, decided, { past, times, settings });
  const free = requests.map((): DecidedRating => ({ allowed: true, overLimit: undefined }));
  const spanMs = (to - from) / barsCount;
  const countsOf = (those: readonly TraceRequest[]) => {
    const counts = Array.from({ length: barsCount }, () => 0);
    for (const { at } of those) {
      const bar = Math.min(barsCount - 1, Math.floor((at - from) / spanMs));
      counts[bar] = (counts[bar] ?? 0) + 1;
    }
    return counts;
  };
  const alone = [
    ...decidingLimits(limits).map(({ name }) => name),
    ...(scoring.detectsFloods ? [floodDetection] : []),
  ];
  const ofFlood = requests.filter(({ kind }) => kind === "flood");
  const flooded = countsOf(ofFlood);
  const [first, last] = [ofFlood[0], ofFlood.at(-1)];
  return {
    from,
    to,
    hasPast,
    times,
    bars: countsOf(requests).map((count, index) => ({
      from: from + index * spanMs,
      to: from + (index + 1) * spanMs,
      count,
      flooded: flooded[index] ?? 0,
    })),
    flood: first && last ? { from: first.at, to: last.at } : null,
    unlimited: play(free, plain),
    site: play(decideBySite(limits, requests), scoring),
    siteAlone: (alone.length > 1 ? alone : []).map((name) => ({
      name,
      end: endOf(
        play(decideBySite(onlyLimits(limits, [name]), requests), name === floodDetection ? scoring : plain),
      ),
    })),
    rows: algorithms.map(({ name, algorithm }) => {
      const decisions = simulate(algorithm, requests).decided;
      const refusing = decisions.map(({ decision }) => ({ allowed: decision.allowed, overLimit: undefined }));
      const holding = decisions.map(({ decision }) => ({
        allowed: true,
        overLimit: decision.allowed ? undefined : decision.reason,
      }));
      return {
        name,
        refusing: play(refusing, plain),
        holding: play(holding, plain),
        overLimit: countsOf(decisions.filter(({ decision }) => !decision.allowed)),
      };
    }),
  };
}

export function endOf({ refused, held, averages, scores }: ComparedScore): ScoreEnd {
  return { refused, held, average: averages.at(-1) ?? null, score: scores.at(-1) ?? null };
}

function played(
  requests: readonly ScoredRequest[],
  decided: readonly DecidedRating[],
  {
    past,
    times,
    settings,
  }: { past: readonly PlayedRating[]; times: readonly number[]; settings: TallySettings },
): ComparedScore {
  const passed = requests.flatMap(({ at, score, user }, index): PlayedRating[] => {
    const decision = decided[index];
    if (!decision?.allowed) return [];
    const { overLimit } = decision;
    return [{ at, score, user: user ?? firstUnnamed + pastCount + index, registeredAt: null, overLimit }];
  });
  const { points, post } = playRatings([...past, ...passed], times, settings);
  return {
    refused: decided.filter(({ allowed }) => !allowed).length,
    held: post.countOf("held"),
    averages: points.map(({ average }) => thousandth(average)),
    scores: points.map(({ score }) => thousandth(score)),
  };
}

/** So that a drawing that is kept takes little memory. */
function thousandth(stars: number | null): number | null {
  return stars === null ? null : Math.round(stars * 1_000) / 1_000;
}

function pastUntil(end: number): PlayedRating[] {
  return Array.from({ length: pastCount }, (_, index) => ({
    at: end - pastMs + Math.floor((index * pastMs) / pastCount),
    user: firstUnnamed + index,
    score: likedScores[index % likedScores.length] ?? 5,
    registeredAt: null,
  }));
}
