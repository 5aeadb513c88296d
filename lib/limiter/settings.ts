/**
 * The one check that all settings and costs pass.
 *
 * @param name what to call the value in the message, e.g. "leakyBucket: capacity"
 * @throws RangeError that names the setting when `value` is 0, negative, NaN, infinite or no number
 */
export function requirePositive(name: string, value: unknown): number {
  if (typeof value === "number" && value > 0 && value < Number.POSITIVE_INFINITY) return value;
  throw new RangeError(`${name} must be a finite number above 0, but is ${describe(value)}`);
}

function describe(value: unknown): string {
  return typeof value === "string" ? `the string "${value}": give a number` : String(value);
}
