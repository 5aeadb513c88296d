/** A flood in figures, for the sentences that explain it. Pure. */

import { minuteMs } from "../../time/units.ts";
import {
  type DecidedStatus,
  distance,
  type FloodWindow,
  looksLikePast,
  pastOf,
} from "../floods/flood-window.ts";
import { type Counts, type Score, scoreFrom, scores } from "../score/score.ts";
import type { RaterClusters } from "./rater-clusters.ts";

/** Units of the usual number of ratings, the shortest first. */
const units = { minute: minuteMs, hour: 60 * minuteMs, day: 1_440 * minuteMs, month: 43_200 * minuteMs };

/** How many ratings were usual before the flood. */
interface UsualRate {
  count: number;
  per: keyof typeof units;
}

interface FloodSummary {
  durationMs: number;
  usual: UsualRate;
  /** The score whose share is higher than among the others by the most. */
  peak: {
    score: Score;
    /** How many of the flood's ratings have it. */
    count: number;
    /** How many of the other ratings have it. */
    others: number;
  };
  /** The post's other ratings. */
  others: number;
  /** The average of the others, and of all; null without ratings. */
  averageWithout: number | null;
  averageWith: number | null;
}

export function summaryOf(window: FloodWindow, counts: Counts): FloodSummary {
  const past = pastOf(counts, window);
  const { average: averageWithout, count: others } = scoreFrom(past);
  const all = past.map((some, score) => some + (window.counts[score] ?? 0));
  const sum = all.reduce((total, some) => total + some, 0);
  const stars = all.reduce((total, some, score) => total + some * score, 0);
  const peak = peakOf(window.counts, past);
  return {
    durationMs: window.lastAt - window.openedAt,
    usual: usualRate(window.usualGapMs),
    peak: { score: peak, count: window.counts[peak], others: past[peak] },
    others,
    averageWithout,
    averageWith: sum === 0 ? null : stars / sum,
  };
}

/** In the shortest unit in which it is at least one; once a month is the least. */
export function usualRate(gapMs: number): UsualRate {
  const per = (["minute", "hour", "day"] as const).find((unit) => Math.round(units[unit] / gapMs) >= 1);
  return per
    ? { count: Math.round(units[per] / gapMs), per }
    : { count: Math.max(1, Math.round(units.month / gapMs)), per: "month" };
}

/** The score whose share rose most; of several, the lowest. */
function peakOf(counts: Counts, past: Counts): Score {
  const [count, others] = [scoreFrom(counts).count, scoreFrom(past).count];
  const rise = (score: Score) => counts[score] / Math.max(1, count) - past[score] / Math.max(1, others);
  return scores.reduce<Score>((best, score) => (rise(score) > rise(best) ? score : best), 0);
}

/** Reasons for a suggestion, for a sentence each. */
type SuggestionReason = "oneScore" | "oneNetwork" | "newAccounts" | "likeOthers";

export interface Suggestion {
  status: DecidedStatus | "unclear";
  reasons: readonly SuggestionReason[];
}

/** The share of ratings, accounts or networks from which it is a reason. */
const large = 0.75;
/** How much larger the share must be than among the other ratings. */
const larger = 0.3;
/** The fewest ratings to judge by. */
const fewest = 5;

/**
 * Whether to count a flood or leave it out.
 * By its scores, and for deciders by its raters. The scores must differ from the others' for it to be left out.
 */
export function suggestionFor(
  window: FloodWindow,
  counts: Counts,
  raters?: { own: RaterClusters; others: RaterClusters },
): Suggestion {
  const past = pastOf(counts, window);
  const { count } = scoreFrom(window.counts);
  if (count < fewest || scoreFrom(past).count === 0) return { status: "unclear", reasons: [] };
  if (looksLikePast(window.counts, past)) return { status: "counted", reasons: ["likeOthers"] };
  const { peak, others } = summaryOf(window, counts);
  const stands = (own: number, ofOwn: number, other: number, ofOthers: number) =>
    ofOwn >= fewest && own / ofOwn >= large && own / ofOwn - other / Math.max(1, ofOthers) >= larger;
  const reasons: SuggestionReason[] = [];
  if (stands(peak.count, count, peak.others, others)) reasons.push("oneScore");
  if (raters) {
    const { own, others: other } = raters;
    if (stands(own.registeredWithinDay, own.withAge, other.registeredWithinDay, other.withAge))
      reasons.push("newAccounts");
    if (stands(own.inOneNetwork, own.withNetwork, other.inOneNetwork, other.withNetwork))
      reasons.push("oneNetwork");
  }
  const isClear = reasons.includes("oneScore") && distance(window.counts, past) >= larger;
  return isClear ? { status: "excluded", reasons } : { status: "unclear", reasons };
}
