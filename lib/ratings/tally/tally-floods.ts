/**
 * Detects whether a rating is part of a flood.
 * The flood detector decides, or a limiter that holds. Pure.
 */
import {
  ageBandOf,
  type Detection,
  detect,
  type ExcessRunUp,
  excessRunUpMaximum,
  firstState,
  type SiteBaseline,
  stateOfPast,
  withoutRating,
} from "../floods/flood-detector.ts";
import { runUpLength, runUpMaximum } from "../floods/flood-window.ts";
import type { Score } from "../score/score.ts";
import type { Tally, TallySettings } from "./tally.ts";
import { beginsFlood, type Flood, type RecentRating } from "./tally-ratings.ts";

/** So many recent ratings are read for each that a run-up may have. */
const readPerRating = 4;

/** A rating as it is given. */
interface Arriving {
  now: number;
  score: Score;
  /**
   * The user's rating before, `score` being null when it was withdrawn.
   * Undefined for the first one.
   */
  before: { score: Score | null; at: number; window: number | null } | undefined;
  /** When the account was registered; null when unknown. */
  registeredAt: number | null;
  /** The usual gap, when the rating is over the limit of a limiter that holds. */
  limitedGapMs: number | undefined;
}

interface RecentRater extends RecentRating {
  registeredAt: number | null;
}

interface Judged {
  /** The tally with the detector's new state. */
  tally: Tally;
  /** How many of the recent ratings outside windows `floodOf` needs. */
  recentNeeded: number;
  /**
   * The flood that the rating is part of, given these ratings, newest first.
   * Undefined without one.
   */
  floodOf<Recent extends RecentRater>(recent: readonly Recent[]): Flood<Recent> | undefined;
}

/**
 * Judges a rating.
 * `site` is the site's baseline, for a post that the detector has not seen.
 */
export function judge(
  tally: Tally,
  arriving: Arriving,
  site: SiteBaseline | undefined,
  settings: TallySettings,
): Judged {
  const { now, before, limitedGapMs } = arriving;
  const detection = settings.detectsFloods ? detected(tally, arriving, site) : undefined;
  const isLimited = limitedGapMs !== undefined;
  const begins = isLimited && beginsFlood(tally, now, before, settings);
  const { isExcess = false, runUp = null } = detection ?? {};
  return {
    tally: detection ? { ...tally, detector: detection.next } : tally,
    recentNeeded: runUp ? readPerRating * runUp.length + runUpMaximum : begins ? runUpMaximum : 0,
    floodOf(recent) {
      const usualGapMs = limitedGapMs ?? detection?.usualGapMs;
      if (usualGapMs === undefined || !(isLimited || isExcess || runUp)) return undefined;
      const taken = runUp ? excessOf(recent, runUp) : begins ? fastOf(recent, now, usualGapMs) : [];
      return { usualGapMs, holds: isLimited || isExcess, runUp: taken };
    },
  };
}

/** The tally after its detector has processed a withdrawal. */
export function withWithdrawalSeen(
  tally: Tally,
  { score, at }: RecentRating,
  registeredAt: number | null,
): Tally {
  const { detector } = tally;
  if (!detector) return tally;
  return { ...tally, detector: withoutRating(detector, { score, accountAgeMs: ageAt(at, registeredAt) }) };
}

function detected(
  { detector, counts, settled }: Tally,
  { now, score, before, registeredAt }: Arriving,
  site: SiteBaseline | undefined,
): Detection {
  const { raters, firstAt } = settled;
  const known =
    detector ?? (raters > 0 ? stateOfPast(now, { counts, raters, firstAt }, site) : firstState(now, site));
  const replaced = before && before.score !== null ? { score: before.score, at: before.at } : undefined;
  const state = replaced
    ? withoutRating(known, { score: replaced.score, accountAgeMs: ageAt(replaced.at, registeredAt) })
    : known;
  const arrival = { at: now, score, accountAgeMs: ageAt(now, registeredAt) };
  return detect(state, arrival, { isNew: before === undefined });
}

function excessOf<Recent extends RecentRater>(recent: readonly Recent[], runUp: ExcessRunUp): Recent[] {
  return recent
    .filter(
      ({ at, score, registeredAt }) =>
        score === runUp.score && runUp.bands.includes(ageBandOf(ageAt(at, registeredAt))),
    )
    .slice(0, Math.min(runUp.length, excessRunUpMaximum));
}

/** The run-up of a flood that a limiter found. */
function fastOf<Recent extends RecentRating>(recent: readonly Recent[], now: number, usualGapMs: number) {
  const times = recent.map(({ at }) => at);
  return recent.slice(0, runUpLength(now, times, usualGapMs));
}

/** An imported account whose registration is not known has the time 0. */
export function knownTime(at: number | undefined): number | null {
  return at === undefined || at <= 0 ? null : at;
}

function ageAt(at: number, registeredAt: number | null): number | null {
  return registeredAt === null ? null : Math.max(0, at - registeredAt);
}
