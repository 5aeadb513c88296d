/**
 * A post's average and score through time, from its days and flood windows.
 *
 * Nothing saves how a score moved, so its law is run again on the counted ratings, spread evenly over their day, those of
 * a window over the window. Of very many ratings each step stands for several. Pure.
 */
import { countsFrom } from "../../../db/counts.ts";
import { dayMs } from "../../time/units.ts";
import type { FloodWindow } from "../floods/flood-window.ts";
import { type Counts, type Score, scores } from "./score.ts";
import { type SettlingSettings, settledByRater, settledScoreAt, unrated } from "./settled-score.ts";

/** The most steps of one run, some four milliseconds. */
const stepsMaximum = 4_000;

export interface RatedPast {
  /** All ratings by the UTC day since 1970 on which they were given. */
  days: readonly { day: number; counts: Counts }[];
  windows: readonly Pick<FloodWindow, "openedAt" | "lastAt" | "status" | "counts">[];
  /** When the first rating came, and the end of the history. */
  firstAt: number;
  now: number;
}

export interface HistoryPoint {
  at: number;
  /** The mean of all ratings, whether they count or not; null without one. */
  average: number | null;
  /** The settled score; null without a counted rating. */
  score: number | null;
}

/** Ratings that arrive evenly from one time to another. */
interface Stretch {
  from: number;
  to: number;
  counts: readonly number[];
  isCounted: boolean;
}

/** One step: a rating, or one that stands for `weight` ratings. */
interface ScoreStep {
  at: number;
  score: Score;
  weight: number;
  isCounted: boolean;
}

/** The average and the score at these times, which are in order. */
export function scoreHistory(
  past: RatedPast,
  times: readonly number[],
  settling: SettlingSettings,
): HistoryPoint[] {
  const steps = stepsOf(past);
  const counted = [0, 0, 0, 0, 0, 0];
  const all = { stars: 0, count: 0 };
  const sum = { stars: 0, count: 0 };
  let state = unrated;
  let next = 0;
  return times.map((at) => {
    for (let step = steps[next]; step && step.at < at; step = steps[next]) {
      const { score, weight } = step;
      if (step.isCounted) {
        state = settledByRater(state, step.at, sum, score, settling);
        counted[score] = (counted[score] ?? 0) + weight;
        add(sum, score, weight);
      }
      add(all, score, weight);
      next += 1;
    }
    const counts = countsFrom((score) => counted[score] ?? 0);
    return {
      at,
      average: all.count === 0 ? null : all.stars / all.count,
      score: settledScoreAt(state, at, counts, settling),
    };
  });
}

function add(sum: { stars: number; count: number }, score: Score, weight: number): void {
  sum.stars += score * weight;
  sum.count += weight;
}

function stepsOf(past: RatedPast): ScoreStep[] {
  const stretches = stretchesOf(past);
  const total = stretches.reduce((all, { counts }) => all + countOf(counts), 0);
  const ratingsPerStep = Math.max(1, total / stepsMaximum);
  return stretches
    .flatMap((stretch) => stepsIn(stretch, ratingsPerStep))
    .toSorted((one, other) => one.at - other.at);
}

/** The windows, and the days without the windows' ratings. */
function stretchesOf({ days, windows, firstAt, now }: RatedPast): Stretch[] {
  const left = new Map(days.map(({ day, counts }) => [day, [...counts]]));
  for (const { openedAt, lastAt, counts } of windows)
    for (const score of scores)
      takeOut(left, Math.floor(openedAt / dayMs), lastAt / dayMs, score, counts[score]);
  const ofDays = [...left].map(([day, counts]) => ({
    from: Math.max(day * dayMs, Math.min(firstAt, (day + 1) * dayMs - 1)),
    to: Math.min((day + 1) * dayMs, Math.max(now, day * dayMs)),
    counts,
    isCounted: true,
  }));
  const ofWindows = windows.map(({ openedAt, lastAt, status, counts }) => ({
    from: openedAt,
    to: lastAt,
    counts,
    isCounted: status === "counted",
  }));
  return [...ofDays, ...ofWindows];
}

/** Takes a window's ratings of one score out of its days, from each the same share. */
function takeOut(
  left: Map<number, number[]>,
  firstDay: number,
  until: number,
  score: Score,
  count: number,
): void {
  const within: number[][] = [];
  for (let day = firstDay; day <= until; day += 1) {
    const counts = left.get(day);
    if (counts) within.push(counts);
  }
  const there = within.reduce((sum, counts) => sum + (counts[score] ?? 0), 0);
  const kept = there === 0 ? 0 : Math.max(0, 1 - count / there);
  for (const counts of within) counts[score] = (counts[score] ?? 0) * kept;
}

/** Mixes the scores evenly: each step has the score that is most behind its share. */
function stepsIn({ from, to, counts, isCounted }: Stretch, ratingsPerStep: number): ScoreStep[] {
  const total = countOf(counts);
  const many = Math.round(total / ratingsPerStep);
  if (many === 0) return [];
  const given = [0, 0, 0, 0, 0, 0];
  return Array.from({ length: many }, (_, index) => {
    const behind = (score: Score) => ((counts[score] ?? 0) / total) * (index + 1) - (given[score] ?? 0);
    const score = scores.reduce<Score>((most, each) => (behind(each) > behind(most) ? each : most), 0);
    given[score] = (given[score] ?? 0) + 1;
    return { at: from + ((to - from) * (index + 0.5)) / many, score, weight: total / many, isCounted };
  });
}

function countOf(counts: readonly number[]): number {
  return counts.reduce((sum, some) => sum + some, 0);
}
