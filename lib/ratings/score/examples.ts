/**
 * Two examples of a score's movement.
 * Computed with the score's own functions, for the page that explains it.
 */

import type { Score } from "./score.ts";
import { type Counts, scoreFrom, withRating } from "./score.ts";
import {
  type SettledState,
  type SettlingSettings,
  settledByNewRating,
  settledScoreAt,
} from "./settled-score.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

export interface ExamplePoint {
  /** Days since the event; below 0 before it. */
  day: number;
  average: number;
  score: number;
}

/**
 * A post's ratings before the event.
 * 13,000 in its first 18 days, two minutes apart.
 */
const raters = 13_000;
const everyMs = 2 * minuteMs;
const ageMs = raters * everyMs;
/** 4.15 on average. */
const liked: readonly Score[] = [5, 4, 5, 3, 5, 5, 4, 5, 2, 5, 4, 5, 0, 5, 4, 5, 5, 3, 5, 4];
/** 2.5 on average. */
const divided: readonly Score[] = [0, 5, 2, 3, 1, 4];
const crowdCount = 5_000;
const crowdMs = 20 * minuteMs;
const pointEveryMs = 6 * hourMs;
const daysBefore = 2;

/** 5,000 zeros within 20 minutes, while other readers go on as before. */
export function crowdExample(settings: SettlingSettings): ExamplePoint[] {
  const zeros = Array.from({ length: crowdCount }, (_, index) => ({
    at: Math.floor((index * crowdMs) / crowdCount),
    score: 0 as const,
  }));
  return pointsOf([...zeros, ...ratingsOf(liked, 14)], 14, settings);
}

/** All new ratings are lower from one day on. */
export function changeExample(settings: SettlingSettings): ExamplePoint[] {
  return pointsOf(ratingsOf(divided, 45), 45, settings);
}

function ratingsOf(scores: readonly Score[], days: number) {
  return Array.from({ length: (days * dayMs) / everyMs }, (_, index) => ({
    at: index * everyMs,
    score: scores[index % scores.length] ?? 0,
  }));
}

/** Plays ratings, with their times since the event, on a post at rest. */
function pointsOf(
  ratings: readonly { at: number; score: Score }[],
  days: number,
  settings: SettlingSettings,
): ExamplePoint[] {
  let counts: Counts = [0, 0, 0, 0, 0, 0];
  for (let index = 0; index < raters; index += 1)
    counts = withRating(counts, liked[index % liked.length] ?? 0, 1);
  const start = scoreFrom(counts).average ?? 0;
  let state: SettledState = { score: start, velocity: 0, raters, firstAt: -ageMs, lastRaterAt: 0, at: 0 };

  const points: ExamplePoint[] = [
    { day: -daysBefore, average: start, score: start },
    { day: 0, average: start, score: start },
  ];
  const sorted = ratings.toSorted((a, b) => a.at - b.at);
  let next = 0;
  const playUntil = (at: number) => {
    for (let rating = sorted[next]; rating && rating.at < at; rating = sorted[next]) {
      state = settledByNewRating(state, rating.at, counts, rating.score, settings);
      counts = withRating(counts, rating.score, 1);
      next += 1;
    }
    const average = scoreFrom(counts).average ?? 0;
    points.push({ day: at / dayMs, average, score: settledScoreAt(state, at, counts, settings) ?? average });
  };
  playUntil(hourMs);
  for (let at = pointEveryMs; at <= days * dayMs; at += pointEveryMs) playUntil(at);
  return points;
}
