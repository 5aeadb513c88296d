/**
 * A reference implementation of the gap detector (ema.ts), for tests.
 * It is written from the documentation alone: every observed gap is kept, Z is computed as it is defined, and numbers
 * have 200 binary places, which are 60 decimal ones.
 *
 * Doubles round, so the detector may differ where a threshold lies closer than its error. That was measured on the steps
 * that the test makes: Z and the averages are off by less than 1e-14 of their size. Z comes as close as that to the
 * threshold once in 10⁹ runs of 100,000 steps. The instant of the next pass, half a second away on average and solved
 * with that error 25 times enlarged at most, comes so close to a whole millisecond less than once in 10⁵ runs.
 */
import type { EmaSettings } from "./ema.ts";
import { type Reference, referenceBucket } from "./references.ts";

const PLACES = 200n;
/** Numbers below are bigints that count 2⁻²⁰⁰: this is 1. */
const ONE = 1n << PLACES;

/** By the series ln 2 = Σ 1 / (n · 2ⁿ). */
const LN_16 =
  4n * sum(Array.from({ length: Number(PLACES) }, (_, n) => (ONE >> BigInt(n + 1)) / BigInt(n + 1)));

/** An allowed request, with the refused ones before it. */
type ReferenceGap = { requests: bigint; tookMs: bigint; weight: bigint };

interface FloorAndPrior {
  /** Drains `requests` in this number of `seconds`. */
  floor?: { capacity: number; requests: number; seconds: number } | undefined;
  /** Whole. */
  priorGaps?: number | undefined;
  priorGapMs?: number | undefined;
}

/** Costs are whole. */
export function referenceDetector(
  settings: Required<
    Pick<EmaSettings, "threshold" | "recentGaps" | "minimumGaps" | "deviationFloor" | "adaptMs">
  >,
  { floor, priorGaps = 0, priorGapMs = 0 }: FloorAndPrior = {},
): Reference {
  const bucket = floor && referenceBucket(floor.capacity, floor.requests, floor.seconds);
  const { recentGaps, minimumGaps, adaptMs } = settings;
  const threshold = exactly(settings.threshold);
  const leastSpread = times(exactly(settings.deviationFloor), exactly(settings.deviationFloor));
  const memoryGaps = exactly(1.5 * Math.max(recentGaps, minimumGaps));
  const alpha = over(exactly(2), exactly(recentGaps + 1));

  let allowedAt: number | undefined;
  let refused = 0n;
  // A key's first request ends no gap: only the assumed gaps are known.
  const assumedMs = exactly(priorGapMs);
  let observations: ReferenceGap[] =
    priorGapMs === 0
      ? []
      : [{ requests: BigInt(priorGaps), tookMs: assumedMs * BigInt(priorGaps), weight: ONE }];
  let [usualMs, recentMs, spread] = [assumedMs, assumedMs, ONE];

  const known = () => sum(observations.map(({ requests, weight }) => requests * weight));
  const tookMs = () => sum(observations.map((each) => times(each.tookMs, each.weight)));
  const gapAt = (now: number) => (allowedAt === undefined ? 0 : Math.max(0, now - allowedAt));

  /** The fast average with a gap of `cost` requests, counted as `cost` equal gaps. */
  function recentWith(gapMs: number, cost: number): bigint {
    const each = exactly(gapMs) / BigInt(cost);
    let average = recentMs;
    for (let index = 0; index < cost; index += 1) average += times(alpha, each - average);
    return average;
  }

  /** Undefined while too little is known. */
  function zOf(gapMs: number, cost: number): bigint | undefined {
    if (known() < exactly(minimumGaps) || usualMs === 0n) return undefined;
    const doubt = over(ONE, exactly(recentGaps)) + over(ONE, known());
    const ninth = times(larger(spread, leastSpread), doubt) / 9n;
    const ratio = over(recentWith(gapMs, cost), usualMs);
    return over(ONE - ninth - root(3n, ratio), root(2n, ninth));
  }

  function allows(now: number, cost: number): boolean {
    if (allowedAt === undefined || bucket?.allows(now, cost)) return true;
    const z = zOf(gapAt(now), cost);
    return z === undefined || z <= threshold || gapAt(now) >= adaptMs;
  }

  function learn(gapMs: number, cost: number): void {
    const gap = exactly(gapMs);
    const requests = refused + BigInt(cost);
    if (observations.length === 0) {
      observations = [{ requests, tookMs: gap, weight: ONE }];
      [usualMs, recentMs] = [gap / requests, gap / requests];
      return;
    }
    const looksUsual = (zOf(gapMs, cost) ?? 0n) <= ONE;
    recentMs = recentWith(gapMs, cost);
    if (looksUsual && usualMs > 0n) {
      const deviation = smaller(over(gap / BigInt(cost), usualMs), 5n * ONE) - ONE;
      const weight = over(exactly(cost), known() + exactly(cost));
      spread = smaller(spread + times(times(deviation, deviation) - spread, weight), 2n * ONE);
    }
    // A mean is known no more finely than the clock's tick.
    const savedMeanMs = larger(over(tookMs(), known()), ONE);
    const shrinkMs = larger(smaller(over(exactly(adaptMs), LN_16), 2n * tookMs()), ONE);
    const kept = larger(
      exponential(over(-5n * gap, exactly(adaptMs))),
      power(ONE - over(ONE, memoryGaps), requests),
    );
    observations = observations.map((each) => ({ ...each, weight: times(each.weight, kept) }));
    observations.push({ requests, tookMs: smaller(gap, 5n * savedMeanMs * requests), weight: ONE });
    usualMs = larger(over(tookMs(), known()), times(usualMs, exponential(over(-gap, shrinkMs))));
    recentMs = smaller(recentMs, usualMs);
  }

  return {
    allows,
    take(now, cost) {
      const allowed = allows(now, cost);
      bucket?.take(now, cost);
      if (!allowed) refused += BigInt(cost);
      else if (allowedAt !== undefined) learn(gapAt(now), cost);
      if (allowed) [allowedAt, refused] = [now, 0n];
      allowedAt = Math.min(allowedAt ?? now, now);
      return allowed;
    },
    // It cannot unlearn.
    refund() {},
    count(now, cost) {
      this.take(now, cost);
    },
  };
}

/** A double is a whole number of some power of a half: nothing is rounded. */
function exactly(value: number): bigint {
  let [whole, halvings] = [value, 0n];
  for (; !Number.isInteger(whole); halvings += 1n) whole *= 2;
  return (BigInt(whole) << PLACES) >> halvings;
}

function times(a: bigint, b: bigint): bigint {
  return (a * b) >> PLACES;
}

function over(a: bigint, b: bigint): bigint {
  return (a << PLACES) / b;
}

function sum(numbers: bigint[]): bigint {
  return numbers.reduce((total, number) => total + number, 0n);
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** By squaring. */
function power(base: bigint, exponent: bigint): bigint {
  if (exponent === 0n) return ONE;
  const half = power(base, exponent / 2n);
  return times(times(half, half), exponent % 2n === 0n ? ONE : base);
}

/**
 * The square root (2) or cube root (3) of a number from 0 on, by Newton's method.
 * From above it falls until it converges.
 */
function root(degree: 2n | 3n, value: bigint): bigint {
  if (value === 0n) return 0n;
  const scaled = value << (PLACES * (degree - 1n));
  let guess = 1n << (BigInt(scaled.toString(2).length) / degree + 1n);
  for (;;) {
    const next = ((degree - 1n) * guess + scaled / guess ** (degree - 1n)) / degree;
    if (next >= guess) return guess;
    guess = next;
  }
}

/** e to a power not above 0: the series of a 256th of it, squared eight times. */
function exponential(exponent: bigint): bigint {
  // Less than 2⁻²⁰⁰.
  if (exponent < -150n * ONE) return 0n;
  let result = 0n;
  let term = ONE;
  for (let n = 1n; term !== 0n; n += 1n) {
    result += term;
    term = times(term, exponent / 256n) / n;
  }
  return power(result, 256n);
}
