/**
 * An example of a flood: a liked post gets 143 ratings in four minutes.
 * It is played through the blog's own functions, and is the same at each run with the same settings.
 */

import { hourMs, minuteMs } from "../../time/units.ts";
import type { Score } from "../score/score.ts";
import type { HistoryPoint } from "../score/score-history.ts";
import { type PlayedRating, playRatings } from "./play-ratings.ts";
import type { TallySettings } from "./tally.ts";

export const exampleDayMs = 24 * hourMs;

/** A month with a rating about every three hours, by readers of long standing. */
const days = 30;
const everyMs = 3 * hourMs;
const accountAgeMs = 200 * exampleDayMs;
/** 4.4 on average. */
const liked: readonly Score[] = [5, 4, 5, 4, 5, 3, 5, 4, 5, 5, 4, 4, 5, 5, 3, 5, 4, 5, 2, 5];

const floodAt = 19 * exampleDayMs + 9 * hourMs + 17 * minuteMs;
const floodCount = 143;
const floodMs = 4 * minuteMs;
/** Of the flood's ratings, one in eleven is not a zero. */
const otherScores: readonly Score[] = [1, 5, 4, 1];

export interface FloodExample {
  /** Ends now; times are milliseconds since the first day began. */
  endsAt: number;
  points: HistoryPoint[];
  /** All ratings per day, and those of the flood. */
  days: { from: number; count: number; flooded: number }[];
  flood: { from: number; to: number; count: number; zeros: number };
  /** The status of the flood's ratings. */
  held: number;
  /** The score before the flood, and both a day after it. */
  before: number;
  after: { average: number; score: number };
}

export function floodExample(settings: TallySettings): FloodExample {
  const endsAt = days * exampleDayMs;
  const readers = Array.from({ length: endsAt / everyMs }, (_, index): PlayedRating => {
    // Readers come by day more often than by night.
    const at = index * everyMs + (index % 8 < 3 ? 2 : 0.5) * hourMs;
    return { at, user: index, score: liked[index % liked.length] ?? 5, registeredAt: at - accountAgeMs };
  });
  const crowd = Array.from({ length: floodCount }, (_, index): PlayedRating => {
    const at = floodAt + Math.floor((index * floodMs) / floodCount);
    const score = index % 11 === 10 ? (otherScores[((index - 10) / 11) % otherScores.length] ?? 0) : 0;
    return { at, user: 100_000 + index, score, registeredAt: at - 5 * hourMs };
  });
  const ratings = [...readers, ...crowd].toSorted((one, other) => one.at - other.at);
  const even = Array.from({ length: 4 * days }, (_, index) => ((index + 1) * exampleDayMs) / 4);
  const dayAfter = floodAt + exampleDayMs;
  const times = [...even, floodAt, floodAt + floodMs, dayAfter].toSorted((one, other) => one - other);
  const { points, post } = playRatings(ratings, times, settings);
  const at = (time: number) => points.find((point) => point.at === time);
  return {
    endsAt,
    points,
    days: Array.from({ length: days }, (_, day) => {
      const isIn = (rating: PlayedRating) => Math.floor(rating.at / exampleDayMs) === day;
      const flooded = crowd.filter(isIn).length;
      return { from: day * exampleDayMs, count: readers.filter(isIn).length + flooded, flooded };
    }),
    flood: {
      from: floodAt,
      to: floodAt + floodMs,
      count: floodCount,
      zeros: crowd.filter(({ score }) => score === 0).length,
    },
    held: post.countOf("held"),
    before: at(floodAt)?.score ?? 0,
    after: { average: at(dayAfter)?.average ?? 0, score: at(dayAfter)?.score ?? 0 },
  };
}
