// Over 200 lines: the steps of one decision, which share its statistics.

/**
 * Detects floods of ratings and separates their excess from usual ratings.
 * It compares by score and by the age of the raters' accounts.
 *
 * Speed alone does not make a flood: a post that finds readers is rated fast, with its usual scores. In a flood, one score comes
 * faster from accounts of one age than the post is usually rated by them, and makes up more of their ratings than
 * usual. A cumulative sum for each score and age measures both (CUSUM for Poisson arrivals, Lucas 1985): a rating adds
 * one; time, and ratings with other scores from accounts of that age, subtract the number that may accompany them. A
 * score whose sums exceed `floodAt` is flooded: its ratings are excess, except for as many as usually accompany the
 * other scores.
 *
 * Pure, and each step takes constant time; the state is JSON of constant size. Times are milliseconds.
 */
import { type Counts, countsFrom } from "../../../db/counts.ts";
import type { DetectorState, SiteBaseline } from "../../../db/types.ts";
import { dayMs, hourMs } from "../../time/units.ts";
import { type Score, scores } from "../score/score.ts";

export type { DetectorState, SiteBaseline };

/** The number of ratings with one score, above the usual number, that is a flood. */
const floodAt = 100;
/** A sum this large is a surplus, not chance. */
const surplusAt = 10;
/** While a score's sums are this large, nothing is learned. */
const doubtAt = 20;
/** Sums this large are rising: ratings with their score are part of a run-up. */
const runUpFrom = 5;
/** The longest run-up that is taken back, in ratings. */
export const excessRunUpMaximum = 500;

/** One score may come at this multiple of the post's usual rate; */
const usualMargin = 2.5;
/** and this often on a post however quiet. */
const floorPerHour = 1;
/**
 * By how much a score's share of the ratings may exceed its usual share.
 * It is `youngTolerance` without a past.
 */
const tolerance = 0.1;
const youngTolerance = 0.4;
/** Of the usual rate, accounts of unknown age have this share. */
const unknownShare = 0.15;

const rateMemoryMs = 28 * dayMs;
/** How many ratings the memory of usual scores and ages holds. */
const pastMaximum = 5_000;
/** How many ratings the site's usual rate counts as, and its usual scores and ages. */
const siteRateWeight = 2;
const sitePastWeight = 10;
/** So many ratings with a flooded score may follow on others without it. */
const creditMaximum = 20;

/** Account ages are counted in bands, each below its limit; the last has none. */
export const ageLimitsDays = [1, 3, 10, 30, 100, 365];
/** How many bands there are; the number after the last stands for an unknown age. */
export const ageBands = ageLimitsDays.length + 1;

export const baselineDefaults: SiteBaseline = {
  perHour: 5,
  scores: [0.08, 0.05, 0.08, 0.14, 0.28, 0.37],
  ages: [0.15, 0.1, 0.15, 0.15, 0.15, 0.15, 0.15],
};

interface Arrival {
  at: number;
  score: Score;
  /** Null when unknown. */
  accountAgeMs: number | null;
}

export interface Detection {
  next: DetectorState;
  /** Whether the rating is a flood's excess. */
  isExcess: boolean;
  /** Earlier ratings that are excess, too; null unless a flood begins. */
  runUp: ExcessRunUp | null;
  usualGapMs: number;
}

/** The newest `length` earlier ratings with the score, by accounts of these ages. */
export interface ExcessRunUp {
  score: Score;
  bands: readonly number[];
  length: number;
}

const noSums: readonly number[] = Array(ageBands + 1).fill(0);

export function firstState(at: number, site: SiteBaseline = baselineDefaults): DetectorState {
  return {
    at,
    site,
    ratings: 0,
    spanMs: 0,
    scores: [0, 0, 0, 0, 0, 0],
    ages: Array(ageBands).fill(0),
    sums: scores.map(() => noSums),
    rises: scores.map(() => noSums),
    credits: scores.map(() => null),
  };
}

/** The first state of a post that was rated before. */
export function stateOfPast(
  at: number,
  { counts, raters, firstAt }: { counts: Counts; raters: number; firstAt: number },
  site?: SiteBaseline,
): DetectorState {
  const ageMs = Math.max(1, at - firstAt);
  const spanMs = Math.min(ageMs, rateMemoryMs);
  const weight = Math.min(1, pastMaximum / Math.max(1, sum(counts)));
  return {
    ...firstState(at, site),
    ratings: (raters * spanMs) / ageMs,
    spanMs,
    scores: countsFrom((score) => counts[score] * weight),
  };
}

export function ageBandOf(accountAgeMs: number | null): number {
  if (accountAgeMs === null) return ageBands;
  const band = ageLimitsDays.findIndex((days) => accountAgeMs < days * dayMs);
  return band === -1 ? ageBands - 1 : band;
}

/**
 * Adds a rating to the state, and decides on it.
 * Only a user's first rating (`isNew`) counts for other scores and for the usual rates: otherwise one account that
 * keeps changing its rating could hide a flood.
 */
export function detect(state: DetectorState, arrival: Arrival, { isNew }: { isNew: boolean }): Detection {
  const { score } = arrival;
  const gapMs = Math.max(0, arrival.at - state.at);
  const baseline = baselineOf(state);
  const band = ageBandOf(arrival.accountAgeMs);
  const wasFlooded = isFlooded(state, score);

  const accompanies = isNew && !wasFlooded;
  const sums = scores.map((each) => {
    const accompanied = accompanies && each !== score ? odds(baseline.largestShare(each)) : 0;
    return sumsOf(state, each).map((sum, other) => {
      const expected = baseline.largestRate(each, other) * gapMs + (other === band ? accompanied : 0);
      const arrived = each === score && other === band ? 1 : 0;
      return Math.min(floodAt + 1, Math.max(0, sum - expected) + arrived);
    });
  });
  const totals = sums.map((each) => each.reduce((total, sum) => total + sum, 0));
  const total = totals[score] ?? 0;
  const begins = !wasFlooded && total > floodAt;
  // One is this rating itself.
  const isOn = begins || (wasFlooded && total > 1);

  const rises = scores.map((each) => {
    // Above the score's own usual rate once its sums rise, and above that of all scores before.
    const baselinePart = (totals[each] ?? 0) >= runUpFrom ? baseline.share(each) : 1;
    return risesOf(state, each).map((rise, other) => {
      const expected = baselinePart * baseline.bandRate(each, other) * gapMs;
      return Math.max(0, rise - expected) + (each === score && other === band ? 1 : 0);
    });
  });
  const credit = (each: Score) => {
    const known = state.credits[each] ?? null;
    if (each === score) return isOn ? Math.max(0, (known ?? 0) - 1) : null;
    const isRelated = accompanies && !isOn && (sumsOf(state, each)[band] ?? 0) >= surplusAt;
    return known !== null && isRelated ? Math.min(creditMaximum, known + odds(baseline.share(each))) : known;
  };
  const surplusBands = (sums[score] ?? noSums).flatMap((sum, each) => (sum >= surplusAt ? [each] : []));
  const risen = surplusBands.reduce((total, each) => total + (rises[score]?.[each] ?? 0), 0);
  const length = Math.max(0, Math.min(excessRunUpMaximum, Math.floor(risen) - 1));
  const trust = isNew ? Math.max(0, 1 - Math.max(...totals) / doubtAt) : 0;
  return {
    next: {
      ...learn(state, baseline, { gapMs, score, band, trust }),
      at: Math.max(arrival.at, state.at),
      sums,
      rises,
      credits: scores.map(credit),
    },
    isExcess: isOn && surplusBands.includes(band) && (state.credits[score] ?? 0) < 1,
    runUp: begins ? { score, bands: surplusBands, length } : null,
    usualGapMs: 1 / baseline.perMs,
  };
}

/**
 * Removes a rating that was withdrawn or replaced.
 * One account therefore never adds more than one to the sums.
 */
export function withoutRating(
  state: DetectorState,
  { score, accountAgeMs }: Omit<Arrival, "at">,
): DetectorState {
  const band = ageBandOf(accountAgeMs);
  const without = (values: readonly number[], each: Score) =>
    values.map((value, other) => (each === score && other === band ? Math.max(0, value - 1) : value));
  return {
    ...state,
    sums: scores.map((each) => without(sumsOf(state, each), each)),
    rises: scores.map((each) => without(risesOf(state, each), each)),
  };
}

/** Whether a score's ratings are being held. */
function isFlooded({ credits }: DetectorState, score: Score): boolean {
  return (credits[score] ?? null) !== null;
}

function sumsOf({ sums }: DetectorState, score: Score): readonly number[] {
  return sums[score] ?? noSums;
}

/** An earlier version saved one number for each score. */
function risesOf({ rises }: DetectorState, score: Score): readonly number[] {
  const saved: unknown = rises[score];
  return Array.isArray(saved) ? (rises[score] ?? noSums) : noSums;
}

/**
 * The usual pattern of a post.
 * It is the post's past, with the site's as a prior (gamma-Poisson, Dirichlet).
 */
function baselineOf({ site, ratings, spanMs, scores: past, ages }: DetectorState) {
  const siteMs = (siteRateWeight / site.perHour) * hourMs;
  const perMs = (siteRateWeight + ratings) / (siteMs + spanMs);
  const weight = sitePastWeight + sum(past);
  const ageWeight = sitePastWeight + sum(ages);
  const room = tolerance + ((youngTolerance - tolerance) * sitePastWeight) / weight;
  const share = (score: Score) => (past[score] + sitePastWeight * site.scores[score]) / weight;
  const ageShare = (band: number) =>
    ((ages[band] ?? 0) + sitePastWeight * (site.ages[band] ?? 0)) / ageWeight;
  const part = (score: Score, band: number) =>
    band === ageBands ? Math.max(unknownShare, share(score) / 2) : ageShare(band);
  return {
    perMs,
    share,
    largestShare: (score: Score) => share(score) + room,
    /** The usual rate of all scores from an age band. */
    bandRate: (score: Score, band: number) => perMs * part(score, band),
    /** The largest rate of a score from an age band. */
    largestRate: (score: Score, band: number) =>
      (usualMargin * perMs + floorPerHour / hourMs) * part(score, band),
  };
}

/**
 * The past with one more rating.
 * For scores and ages it weighs as much as the time since the rating before it compares with the usual gap: a burst has
 * next to no weight.
 */
function learn(
  state: DetectorState,
  { perMs }: { perMs: number },
  { gapMs, score, band, trust }: { gapMs: number; score: Score; band: number; trust: number },
) {
  const weight = trust * Math.min(1, gapMs * perMs);
  const kept = sum(state.scores) >= pastMaximum ? 1 - weight / pastMaximum : 1;
  const rateKept = Math.exp((-gapMs * trust) / rateMemoryMs);
  return {
    site: state.site,
    ratings: state.ratings * rateKept + trust,
    spanMs: state.spanMs * rateKept + rateMemoryMs * (1 - rateKept),
    scores: countsFrom((each) => state.scores[each] * kept + (each === score ? weight : 0)),
    ages: state.ages.map((each, other) => each * kept + (other === band ? weight : 0)),
  };
}

/** How many ratings with a score of this share accompany one with another score. */
function odds(share: number): number {
  return share / (1 - Math.min(share, 0.95));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
