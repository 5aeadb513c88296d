/**
 * The checks that settings, costs and numbers read back from a store pass.
 */

/**
 * Gives `value` back when it can be a limit, a rate, a time or a cost.
 *
 * @param name what to call the value in the message, e.g. "leakyBucket: capacity"
 * @throws RangeError that names the setting when `value` is 0, negative, NaN, infinite or no number
 */
export function requirePositive(name: string, value: unknown): number {
  if (typeof value === "number" && value > 0 && value < Number.POSITIVE_INFINITY) return value;
  throw new RangeError(`${name} must be a finite number above 0, but is ${describe(value)}`);
}

/**
 * Gives `value` back when it is 0 or can be a limit, a rate or a time.
 *
 * @throws RangeError that names the setting otherwise
 */
export function requireAmount(name: string, value: unknown): number {
  if (isAmount(value)) return value;
  throw new RangeError(`${name} must be a finite number from 0 on, but is ${describe(value)}`);
}

/**
 * Gives `value` back when it is a whole number from 1 on.
 *
 * @throws RangeError that names the setting otherwise
 */
export function requireWhole(name: string, value: unknown): number {
  const number = requirePositive(name, value);
  if (Number.isSafeInteger(number)) return number;
  throw new RangeError(`${name} must be a whole number, but is ${number}`);
}

/**
 * The keys of one update must differ: their states are saved one by one.
 *
 * @throws RangeError when a key is there twice, or there is no key
 */
export function requireDistinct(keys: readonly string[]): void {
  if (keys.length === 0) throw new RangeError("updateMany: give at least one key");
  if (new Set(keys).size < keys.length)
    throw new RangeError(`updateMany: keys must differ, but are ${JSON.stringify(keys)}`);
}

/**
 * Gives `now` back when it is whole milliseconds.
 * Anything else would be saved, and spoil the state for good.
 *
 * @throws RangeError otherwise
 */
export function requireTime(now: number): number {
  if (Number.isSafeInteger(now)) return now;
  throw new RangeError(`clock must give milliseconds, but gave ${now}`);
}

/** Whether `value` is a finite number from 0 on. */
export function isAmount(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value < Number.POSITIVE_INFINITY;
}

function describe(value: unknown): string {
  return typeof value === "string" ? `the string "${value}": give a number` : String(value);
}
