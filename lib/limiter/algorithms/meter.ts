import { SettingError } from "../settings.ts";

/**
 * Whole-number arithmetic for a level that drains (or fills) at a steady rate.
 *
 * A rate is taken to be the simplest fraction p/q that is the given number: 0.1 is 1/10, and `1 / 3` is 1/3
 * although no double is. Levels are counted in units of 1/(1000·q) request, so that
 *   - one millisecond moves a level by exactly p units,
 *   - a request of cost c weighs exactly c·1000·q units, for costs down to a thousandth,
 * and every sum, comparison and division below is one of whole numbers under 2^53: nothing is ever rounded.
 *
 * Where q would be too large for that (an arbitrary double such as Math.PI beside a capacity above a hundred
 * thousand), the best fraction that fits stands in for the rate; it differs by less than one part in 10^7 of a unit
 * per millisecond, and the arithmetic on it is exact again.
 */
export type Meter = {
  unitsPerRequest: number;
  unitsPerMs: number;
  capacityUnits: number;
};

const LARGEST_LEVEL = 2 ** 52;
const SMALLEST_CAPACITY = 0.001;
/** The most that is counted, in units. */
export const largestCount = Number.MAX_SAFE_INTEGER;
// A product of two doubles that stands for a whole number misses it by less than this part of itself.
const ROUNDING = 2 ** -51;

/**
 * @throws RangeError when the capacity or the rate is out of range
 */
export function exactMeter(owner: string, capacity: number, rateName: string, ratePerSecond: number): Meter {
  if (capacity < SMALLEST_CAPACITY) {
    const least = SMALLEST_CAPACITY;
    throw new SettingError(
      `${owner}: capacity`,
      { kind: "bounds", least },
      `must be at least ${least}, but is ${capacity}`,
    );
  }
  const largestDenominator = Math.floor(LARGEST_LEVEL / (1000 * capacity));
  if (largestDenominator < 1) {
    const most = LARGEST_LEVEL / 1000;
    throw new SettingError(
      `${owner}: capacity`,
      { kind: "bounds", most },
      `must be at most ${most}, but is ${capacity}`,
    );
  }
  const { numerator, denominator } = simplestFraction(ratePerSecond, largestDenominator);
  if (numerator === 0) {
    throw new SettingError(
      `${owner}: ${rateName}`,
      { kind: "beside-capacity" },
      `${ratePerSecond} is too small beside capacity ${capacity}: raise it or lower the capacity`,
    );
  }
  const unitsPerRequest = 1000 * denominator;
  return {
    unitsPerRequest,
    unitsPerMs: numerator,
    capacityUnits: Math.floor(capacity * unitsPerRequest * (1 + ROUNDING)),
  };
}

/**
 * A limit that is counted in units of 1/`unitsPerRequest` request.
 *
 * @throws RangeError naming the setting when whole numbers cannot hold it, or it is below one unit
 */
export function capacityInUnits(name: string, limit: number, unitsPerRequest: number): number {
  const units = Math.floor(limit * unitsPerRequest * (1 + ROUNDING));
  if (units >= 1 && units <= LARGEST_LEVEL) return units;
  const [least, most] = [1 / unitsPerRequest, LARGEST_LEVEL / unitsPerRequest];
  throw new SettingError(
    name,
    { kind: "bounds", least, most },
    `must be from ${least} to ${most}, but is ${limit}`,
  );
}

/**
 * The weight of a request.
 * A cost finer than a unit is rounded up, so that no limit is ever exceeded.
 */
export function costInUnits(cost: number, unitsPerRequest: number): number {
  return Math.ceil(cost * unitsPerRequest * (1 - ROUNDING));
}

/**
 * The first continued-fraction convergent that equals `value` as a double.
 * If its denominator is out of range, the last convergent before it. By Legendre's theorem the first one is n/d itself
 * when `value` was written as n/d with n·d < 2^52.
 */
function simplestFraction(value: number, largestDenominator: number) {
  let scaled = value;
  let divisor = 1n;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    divisor *= 2n;
  }
  let dividend = BigInt(scaled);
  let [previousNumerator, numerator] = [0n, 1n];
  let [previousDenominator, denominator] = [1n, 0n];
  while (divisor !== 0n) {
    const quotient = dividend / divisor;
    const nextDenominator = quotient * denominator + previousDenominator;
    if (nextDenominator > BigInt(largestDenominator)) break;
    [previousNumerator, numerator] = [numerator, quotient * numerator + previousNumerator];
    [previousDenominator, denominator] = [denominator, nextDenominator];
    if (Number(numerator) / Number(denominator) === value) break;
    [dividend, divisor] = [divisor, dividend % divisor];
  }
  return { numerator: Number(numerator), denominator: Number(denominator) };
}
