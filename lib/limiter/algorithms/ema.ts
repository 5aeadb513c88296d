// Over 200 lines: an algorithm is one file, and this one explains its statistics.

import {
  requireAmount,
  requireInstant,
  requireKnown,
  requirePositive,
  requireWhole,
  SettingError,
} from "../settings.ts";
import { formatNumber } from "../text.ts";
import type { Algorithm, Decision, NextState, Step } from "../types.ts";
import { decisionOf } from "./decision.ts";
import { type AlgorithmDefinition, windowQuota } from "./definition.ts";
import { afterRefusal, type EmaState, firstState, isEmaState, learn, power } from "./gap-baseline.ts";
import { leakyBucket } from "./leaky-bucket.ts";
import type { MeterState } from "./metered.ts";
import { duration, number, phrase, rate, shortDuration, tenths } from "./phrase.ts";
import { scaleLimit } from "./scale-limit.ts";

export type { EmaState } from "./gap-baseline.ts";

export type EmaSettings = {
  /**
   * The deviations by which recent gaps may fall short before a request is refused.
   * Default: 3.25; 5 is lenient.
   */
  threshold?: number;
  /**
   * The number of gaps that the fast average spans.
   * Default: 10; more detects fainter floods, later.
   */
  recentGaps?: number;
  /** How many gaps must be known before anything is refused. Default: 10. */
  minimumGaps?: number;
  /**
   * The least deviation assumed of single gaps, as a part of the mean gap.
   * Default: 0.25.
   */
  deviationFloor?: number;
  /**
   * The time after which a tenfold rate is usual. Default: an hour.
   * No lock-out lasts longer.
   */
  adaptMs?: number;
  /** This many requests at one instant pass, however unusual. Default: 0, no floor. */
  floorRequests?: number;
  /** How many more requests the floor lets pass each second. Default: 0.1. */
  floorPerSecond?: number;
  /** The usual gap assumed of a key without history. Default: 0, nothing is assumed. */
  priorGapMs?: number;
  /** How many gaps of a key's own that assumption weighs as much as. Default: 10. */
  priorGaps?: number;
  /** A key without requests for this long expires. Default: 30 days. */
  forgetAfterMs?: number;
};

/** Why the gap detector decided as it did. All gaps are milliseconds per request. */
export type EmaReason = {
  algorithm: "ema";
  neverFits: false;
  /**
   * How far recent gaps lie below the usual ones, in deviations.
   * Refused above `threshold`.
   */
  z: number;
  threshold: number;
  /** The usual gap, μ. */
  meanGapMs: number;
  /** The standard deviation of a single gap from μ, σ. */
  deviationMs: number;
  /** The fast average of the newest gaps, this request's included. */
  recentGapMs: number;
  /** The smallest `recentGapMs` that passes; 0 while learning. */
  leastGapMs: number;
  /** True while too few gaps are known: nothing is refused yet. */
  learning: boolean;
};

/** The defaults. */
const emaDefaults = {
  threshold: 3.25,
  recentGaps: 10,
  minimumGaps: 10,
  deviationFloor: 0.25,
  adaptMs: 3_600_000,
  floorRequests: 0,
  floorPerSecond: 0.1,
  priorGapMs: 0,
  priorGaps: 10,
  forgetAfterMs: 30 * 86_400_000,
} as const satisfies Required<EmaSettings>;

/**
 * Refuses requests that arrive much faster than usual.
 * The idea is Z = (μ − x) / σ, with x the gap since the request before, μ the mean gap and σ the deviation: the further
 * below the usual, the larger Z, and above a threshold the request is refused.
 *
 * **Why x is an average.** A gap cannot be shorter than 0, so the Z of a single gap never exceeds μ/σ, which is 1
 * for independent raters (Poisson arrivals, σ = μ): no threshold separates a flood from chance. The average r of
 * the last n gaps deviates by only σ/√n, so its Z reaches √n. We keep r as an exponential average with
 * α = 2/(n + 1), whose variance is that of a plain average of n.
 *
 * **Why a cube root.** Averages of few gaps are skewed, so plain deviations misjudge the chance of a low one. A sum
 * of gaps is close to gamma-distributed, and the cube root of a gamma variable is close to normal (Wilson and
 * Hilferty, 1931). With v = (σ/μ)² · (1/n + 1/N) the squared deviation of r/μ, N gaps being known (the second term
 * is the doubt about μ itself):
 *
 *     Z = (1 − v/9 − ∛(r/μ)) / √(v/9)        so Z ≤ threshold ⇔ r ≥ μ · (1 − v/9 − threshold · √(v/9))³
 *
 * and a threshold means about the same chance of a false refusal whether the past is regular or not. σ/μ is floored:
 * the most regular past leaves room for gaps a fifth shorter.
 *
 * **Which requests are learnt.** A request is tested before it is learnt. A refused one is only counted: x runs from
 * the last *allowed* request, so the instant from which one passes stands still while others are refused,
 * `retryAfterMs` is exact, and retrying early costs nothing. Under a flood of any rate requests keep passing, one per
 * least gap that passes (about 0.3 μ for irregular traffic, 0.75 μ for regular), so the flood shuts no key out for
 * good. gap-baseline.ts describes how μ moves, and the bounds on that.
 *
 * **The floor.** Where floods below some size do no harm, `floorRequests` is the capacity of a leaky bucket beside the
 * gaps (leaky-bucket.ts), which drains at `floorPerSecond`. A request that fits in it passes at any Z. So no request is
 * refused in an interval of t seconds in which at most floorRequests + floorPerSecond · t requests arrive after a quiet
 * time. Every request that fits is added, so a key that is busier than the floor by itself keeps the bucket full: the
 * floor then adds `floorPerSecond`, no more. The instant of the next pass is the earlier of the two. `scale` takes a
 * share of the floor; the rest of the detector knows no limit, and stays.
 *
 * **The prior.** Requests that arrive at random have gamma-distributed waits, and the conjugate prior of a Poisson rate
 * is a gamma distribution that weighs as much as n₀ = `priorGaps` gaps of μ₀ = `priorGapMs` seen before (gamma-Poisson;
 * Gelman et al., Bayesian Data Analysis, 2.6). So a key starts with n₀ gaps of μ₀ in its two sums and a Poisson spread:
 * μ = (n₀μ₀ + Σ gaps) / (n₀ + N), and the prior fades as other gaps do. From n₀ = `minimumGaps` on, the second request
 * of a key is already compared with it, and with fewer after as many gaps as are missing.
 *
 * **Floods that pass.** Without a prior, a key's first `minimumGaps` + 1 requests always pass, and so does a flood that
 * a key has known since birth: it has no earlier traffic to compare with. After regular traffic one or two requests of
 * a flood pass before r has fallen, after irregular about ten. A flood that paces itself at 1.3 to 3.5 times the usual
 * rate passes, and the limit follows it, at most sixteenfold per `adaptMs`, or on a young key e-fold per twice its age.
 * Put a bucket beside this where an absolute limit matters. A new rate takes about sixty requests to learn, so where
 * there are fewer of them in `adaptMs`, it takes longer.
 *
 * A cost c, at least a thousandth, is judged as c requests that shared the gap evenly. There is no limit and nothing
 * remaining: both are null. Every cost can fit at some time, and no wait is longer than `adaptMs`. When the clock runs
 * back, no time has passed.
 * The state is seven numbers, with a floor ten, and a decision takes constant time.
 *
 * @throws RangeError naming the setting that is not a positive, finite number; the two that may be 0 turn floor and
 * prior off by it
 */
export function ema(settings: EmaSettings = {}): Algorithm<EmaState, EmaReason> {
  requireKnown("ema", settings, Object.keys(emaDefaults));
  const given = { ...emaDefaults, ...settings };
  const threshold = requirePositive("ema: threshold", given.threshold);
  const recentGaps = requirePositive("ema: recentGaps", given.recentGaps);
  if (recentGaps < 1)
    throw new SettingError(
      "ema: recentGaps",
      { kind: "bounds", least: 1 },
      `must be at least 1, but is ${recentGaps}`,
    );
  const minimumGaps = requirePositive("ema: minimumGaps", given.minimumGaps);
  const leastSpread = requirePositive("ema: deviationFloor", given.deviationFloor) ** 2;
  const adaptMs = requirePositive("ema: adaptMs", given.adaptMs);
  const floorRequests = requireAmount("ema: floorRequests", given.floorRequests);
  const floorPerSecond = requirePositive("ema: floorPerSecond", given.floorPerSecond);
  if (floorRequests !== 0 && !(floorRequests >= 1 && floorRequests <= largestFloor))
    throw new SettingError(
      "ema: floorRequests",
      { kind: "bounds", least: 1, most: largestFloor, orZero: true },
      `must be 0, or from 1 to ${largestFloor}, but is ${floorRequests}`,
    );
  if (floorPerSecond < leastFloorPerSecond)
    throw new SettingError(
      "ema: floorPerSecond",
      { kind: "bounds", least: leastFloorPerSecond },
      `must be at least 0.000001, but is ${floorPerSecond}`,
    );
  const gapMs = requireAmount("ema: priorGapMs", given.priorGapMs);
  const gaps = requirePositive("ema: priorGaps", given.priorGaps);
  // Their product is the time that a state begins with.
  if (gapMs * gaps > Number.MAX_SAFE_INTEGER)
    throw new SettingError(
      "ema: priorGapMs",
      { kind: "bounds", most: Number.MAX_SAFE_INTEGER / gaps },
      `times priorGaps must be at most ${Number.MAX_SAFE_INTEGER}, but is ${gapMs * gaps}: lower one of them`,
    );
  const forgetAfterMs = requireWhole("ema: forgetAfterMs", given.forgetAfterMs);
  const floor =
    floorRequests === 0 ? undefined : leakyBucket({ capacity: floorRequests, leakPerSecond: floorPerSecond });
  const prior = gapMs === 0 ? undefined : { gapMs, gaps };

  const inverseOfRecentGaps = 1 / recentGaps;
  const recentKept = 1 - 2 / (recentGaps + 1);
  // Sixteenfold, and a fifth: a tenfold rate is then learnt, noise and all, with time to spare.
  const pace = {
    memoryMs: adaptMs / 5,
    memoryGaps: 1.5 * Math.max(recentGaps, minimumGaps),
    shrinkMs: adaptMs / Math.log(16),
  };

  function step(saved: EmaState | undefined, now: number, given: number): Step<EmaState, EmaReason> {
    requireInstant(now);
    const cost = given === 1 ? 1 : Math.max(leastCost, requirePositive("cost", given));
    const expiresAt = now + forgetAfterMs;
    const known = isEmaState(saved) ? saved : undefined;
    const below = floor?.step(known?.floor, now, cost);
    const level = below && (below.next ?? known?.floor);
    if (!known) {
      const first = firstState(now, prior);
      const decision = decide(first, first.recentGapMs, 0, usualGapOf(first), 0);
      return { decision, next: withFloor(first, level), expiresAt };
    }
    const usual = usualGapOf(known);
    const gapMs = Math.max(0, now - known.allowedAt);
    const recentGapMs = recentAfter(known, gapMs, cost);
    const z = zOf(known, recentGapMs, usual);
    if (passes(recentGapMs, gapMs, usual) || below?.decision.allowed) {
      const decision = decide(known, recentGapMs, z, usual, 0);
      return { decision, next: withFloor(learn(known, now, cost, recentGapMs, z, pace), level), expiresAt };
    }
    return refusal(known, now, cost, recentGapMs, z, usual, below, level);
  }

  function refusal(
    known: EmaState,
    now: number,
    cost: number,
    recentGapMs: number,
    z: number,
    usual: UsualGap,
    below: Step<MeterState> | undefined,
    level: MeterState | undefined,
  ): Step<EmaState, EmaReason> {
    const gapMs = Math.max(0, now - known.allowedAt);
    const gapPassesMs = firstPassingGap(known, gapMs, cost, usual) - gapMs;
    const floorPassesMs =
      below && !below.decision.reason.neverFits ? below.decision.retryAfterMs : Number.POSITIVE_INFINITY;
    const retryAfterMs = Math.min(gapPassesMs, floorPassesMs);
    const next = withFloor(afterRefusal(known, now, cost), level);
    const decision = decide(known, recentGapMs, z, usual, retryAfterMs);
    return { decision, next, expiresAt: now + forgetAfterMs };
  }

  /**
   * The usual gap, which the next request is compared with.
   * Refusals do not change it.
   */
  function usualGapOf(state: EmaState): UsualGap {
    const learning = state.count < minimumGaps || state.meanGapMs === 0;
    const variance = Math.max(state.spread, leastSpread) * (inverseOfRecentGaps + 1 / state.count);
    const ninth = variance / 9;
    const usualRoot = 1 - ninth;
    const deviation = Math.sqrt(ninth);
    const root = usualRoot - threshold * deviation;
    // One literal, on which the engine can save the object.
    return {
      learning,
      usualRoot,
      deviation,
      leastGapMs: root > 0 && !learning ? state.meanGapMs * root * root * root : 0,
    };
  }

  function recentAfter(state: EmaState, gapMs: number, cost: number): number {
    const kept = power(recentKept, cost);
    const recentGapMs = kept * state.recentGapMs + (1 - kept) * (gapMs / cost);
    return recentGapMs < leastAverageMs ? 0 : recentGapMs;
  }

  function passes(recentGapMs: number, gapMs: number, usual: UsualGap): boolean {
    return recentGapMs >= usual.leastGapMs || gapMs >= adaptMs;
  }

  /**
   * The smallest gap that passes, by bisection: exact despite rounding.
   * Solved for the gap, the test gives that one or its neighbour; where it does not, bisection finds it.
   */
  function firstPassingGap(state: EmaState, refusedGapMs: number, cost: number, usual: UsualGap): number {
    const enough = (gapMs: number) => passes(recentAfter(state, gapMs, cost), gapMs, usual);
    let tooShortMs = refusedGapMs;
    let longEnoughMs = Math.ceil(adaptMs);
    const kept = power(recentKept, cost);
    const solvedMs = Math.ceil(((usual.leastGapMs - kept * state.recentGapMs) / (1 - kept)) * cost);
    for (const gapMs of [solvedMs - 1, solvedMs]) {
      // A large cost makes this infinite, or no number.
      if (!(gapMs > tooShortMs && gapMs < longEnoughMs)) continue;
      if (enough(gapMs)) longEnoughMs = gapMs;
      else tooShortMs = gapMs;
    }
    while (longEnoughMs - tooShortMs > 1) {
      const middleMs = Math.floor((tooShortMs + longEnoughMs) / 2);
      if (enough(middleMs)) longEnoughMs = middleMs;
      else tooShortMs = middleMs;
    }
    return longEnoughMs;
  }

  function decide(
    state: EmaState,
    recentGapMs: number,
    z: number,
    usual: UsualGap,
    retryAfterMs: number,
  ): Decision<EmaReason> {
    return decisionOf<EmaReason>(retryAfterMs === 0, null, null, retryAfterMs, forgetAfterMs, {
      algorithm: "ema",
      neverFits: false,
      z,
      threshold,
      meanGapMs: state.meanGapMs,
      deviationMs: state.meanGapMs * Math.sqrt(Math.max(state.spread, leastSpread)),
      recentGapMs,
      leastGapMs: usual.leastGapMs,
      learning: usual.learning,
    });
  }

  /** Requests granted elsewhere are traffic like any other. */
  function count(saved: EmaState | undefined, now: number, cost: number): NextState<EmaState> | undefined {
    const { next, expiresAt = now } = step(saved, now, cost);
    return next && { next, expiresAt };
  }

  return {
    name: "ema",
    limit: null,
    step,
    count,
    scale: (share) =>
      ema({
        ...given,
        floorRequests: Math.min(largestFloor, scaleLimit(floorRequests, share)),
        floorPerSecond: Math.max(leastFloorPerSecond, floorPerSecond * share),
      }),
  };
}

function withFloor(state: EmaState, floor: MeterState | undefined): EmaState {
  return floor ? { ...state, floor } : state;
}

/**
 * An average below this counts as 0.
 * Thousands of requests at one instant would leave a denormal number, and arithmetic on those is slow: a step took 22 ns
 * more, of 95.
 */
const leastAverageMs = 1e-200;
/** A gap shared by much less than a request would be infinite. */
const leastCost = 0.001;
/** Within these the floor's bucket counts exactly. */
const largestFloor = 1_000_000;
const leastFloorPerSecond = 0.000_001;

/**
 * `usualRoot` is 1 − v/9 above, `deviation` √(v/9).
 * `leastGapMs` is the lowest recent average that passes.
 */
type UsualGap = { learning: boolean; usualRoot: number; deviation: number; leastGapMs: number };

/** 0 while learning: there is no mean to deviate from. */
function zOf(state: EmaState, recentGapMs: number, { learning, usualRoot, deviation }: UsualGap): number {
  if (learning) return 0;
  return (usualRoot - Math.cbrt(recentGapMs / state.meanGapMs)) / deviation;
}

export const emaDefinition: AlgorithmDefinition<EmaSettings, EmaReason> = {
  name: "ema",
  title: "EMA",
  order: 6,
  description: "Learns how far apart requests usually come, and refuses those that come much faster.",
  settings: {
    threshold: { type: "number", default: emaDefaults.threshold, label: "Refused above this Z" },
    recentGaps: { type: "number", default: emaDefaults.recentGaps, label: "Gaps that are recent" },
    minimumGaps: { type: "number", default: emaDefaults.minimumGaps, label: "Gaps to learn from first" },
    deviationFloor: {
      type: "number",
      default: emaDefaults.deviationFloor,
      label: "Least deviation, as a part of the usual gap",
    },
    adaptMs: {
      type: "duration",
      default: emaDefaults.adaptMs,
      label: "Seconds until a tenfold rate is usual",
    },
    floorRequests: {
      type: "number",
      orZero: true,
      default: emaDefaults.floorRequests,
      label: "Floor: requests that always pass at once (0: no floor)",
    },
    floorPerSecond: {
      type: "number",
      default: emaDefaults.floorPerSecond,
      label: "Floor: further requests that always pass each second",
    },
    priorGapMs: {
      type: "duration",
      orZero: true,
      default: emaDefaults.priorGapMs,
      label: "Prior: seconds between requests assumed at first (0: no prior)",
    },
    priorGaps: {
      type: "number",
      default: emaDefaults.priorGaps,
      label: "Prior: its weight, in gaps",
    },
    forgetAfterMs: {
      type: "duration",
      default: emaDefaults.forgetAfterMs,
      label: "Seconds until an unused key is forgotten",
    },
  },
  // No request is refused then, so the limiter may learn, and adapt slowly to a new rate.
  whenHolding: { adaptMs: 86_400_000 },
  reason: {
    z: { type: "number" },
    threshold: { type: "number" },
    meanGapMs: { type: "number" },
    deviationMs: { type: "number" },
    recentGapMs: { type: "number" },
    leastGapMs: { type: "number" },
    learning: { type: "boolean" },
  },
  examples: [{}, { minimumGaps: 3, threshold: 1 }],
  create: ema,
  summarize(settings) {
    const { threshold, adaptMs, floorRequests, floorPerSecond } = { ...emaDefaults, ...settings };
    const values = { threshold: number(threshold), time: duration(adaptMs) };
    return floorRequests > 0
      ? phrase(
          "tooFastWithFloor",
          "refuses above Z = {threshold} and above {count} at once plus {rate}; adapts to a tenfold rate within {time}",
          { ...values, count: number(floorRequests), rate: rate(floorPerSecond) },
        )
      : phrase("tooFast", "refuses above Z = {threshold}; adapts to a tenfold rate within {time}", values);
  },
  explain({ learning, z, threshold, recentGapMs, meanGapMs }) {
    if (learning) return phrase("learning", "still learning what is usual", {});
    const template = "Z {z} of at most {threshold}: one every {recent} recently, usually one every {usual}";
    const values = {
      z: tenths(z),
      threshold: number(threshold),
      recent: shortDuration(recentGapMs),
      usual: shortDuration(meanGapMs),
    };
    const times = meanGapMs / Math.max(1, recentGapMs);
    if (Math.round(times * 10) <= 10) return phrase("ema-usual", template, values);
    return phrase("ema", template, { ...values, times: tenths(times) });
  },
  level: ({ z, threshold }) => ({
    key: "ema",
    name: "Z",
    value: z,
    perRequest: 0,
    rest: null,
    isSteady: true,
    threshold,
    meaning: `too fast above ${formatNumber(threshold)}`,
    top: threshold,
    nearest: "highest",
  }),
  bound: ({ meanGapMs }) => ({ kind: "usual", gapMs: meanGapMs }),
  /**
   * The pace at which requests pass now, again and again.
   * Null while the detector learns: it then limits nothing and announces nothing.
   */
  quota({ leastGapMs }, decision) {
    if (leastGapMs === 0) return undefined;
    const windowMs = Math.max(leastGapMs, 1000);
    return { ...windowQuota(windowMs / leastGapMs, windowMs, decision), moreAfterMs: leastGapMs };
  },
};
