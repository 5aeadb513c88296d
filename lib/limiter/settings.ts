/**
 * The checks that settings, costs and numbers read back from a store pass.
 */

/** The fault of a setting, as data for an application's own sentence. */
export type SettingFault =
  | { readonly kind: "above-zero" | "from-zero" | "whole" | "time-zone" }
  /** Not within these bounds; with `orZero` 0 is valid, too. */
  | { readonly kind: "bounds"; readonly least?: number; readonly most?: number; readonly orZero?: true }
  /** Too small beside the capacity. */
  | { readonly kind: "beside-capacity" };

/** An invalid setting; the message has the reason in English. */
export class SettingError extends RangeError {
  /** Its name without the algorithm's: "limit". */
  readonly setting: string;
  readonly fault: SettingFault;

  /** @param name the setting's name in the message, e.g. "slidingLog: limit" */
  constructor(name: string, fault: SettingFault, problem: string, options?: ErrorOptions) {
    super(`${name} ${problem}`, options);
    this.setting = /\w+$/.exec(name)?.[0] ?? name;
    this.fault = fault;
  }
}

/**
 * Returns `value` when it can be a limit, a rate, a time or a cost.
 * Above `Number.MAX_SAFE_INTEGER` sums are no longer exact, and may become infinite.
 *
 * @param name the value's name in the message, e.g. "leakyBucket: capacity"
 * @throws RangeError that names the setting when `value` is 0, negative, NaN, too large or not a number
 */
export function requirePositive(name: string, value: unknown): number {
  if (isAmount(value) && value > 0) return requireSafe(name, value);
  throw new SettingError(
    name,
    { kind: "above-zero" },
    `must be a finite number above 0, but is ${describe(value)}`,
  );
}

/**
 * Gives `value` back when it is 0 or can be a limit, a rate or a time.
 *
 * @throws RangeError that names the setting otherwise
 */
export function requireAmount(name: string, value: unknown): number {
  if (isAmount(value)) return requireSafe(name, value);
  throw new SettingError(
    name,
    { kind: "from-zero" },
    `must be a finite number from 0 on, but is ${describe(value)}`,
  );
}

function requireSafe(name: string, value: number): number {
  const most = Number.MAX_SAFE_INTEGER;
  if (value <= most) return value;
  throw new SettingError(name, { kind: "bounds", most }, `must be at most ${most}, but is ${value}`);
}

/**
 * Gives `value` back when it is a whole number from 1 on.
 *
 * @throws RangeError that names the setting otherwise
 */
export function requireWhole(name: string, value: unknown): number {
  const number = requirePositive(name, value);
  if (Number.isSafeInteger(number)) return number;
  throw new SettingError(name, { kind: "whole" }, `must be a whole number, but is ${number}`);
}

/**
 * The keys of one update must differ: their states are saved one by one.
 *
 * @throws RangeError when a key is repeated, or the list is empty
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

/**
 * A step at a time that is not a number would spoil the state for good.
 *
 * @throws RangeError when `now` is not a finite number
 */
export function requireInstant(now: unknown): void {
  if (!Number.isFinite(now))
    throw new RangeError(`now must be a finite number of milliseconds, but is ${describe(now)}`);
}

/**
 * A misspelt setting would leave its default in force.
 *
 * @throws TypeError that names the unknown setting, and the known one that is most like it
 */
export function requireKnown(owner: string, settings: object, known: readonly string[]): void {
  for (const name of Object.keys(settings)) {
    if (known.includes(name)) continue;
    throw new TypeError(
      `${owner}: there is no setting ${JSON.stringify(name)}. ${didYouMean([name], known)}There are ${known.join(", ")}`,
    );
  }
}

/** The most names and letters compared for suggestions, which are slow. */
const comparedMaximum = { unknown: 3, known: 100, letters: 64 };

/** "Did you mean capacity? ", or nothing when no known name is like that. */
export function didYouMean(unknown: readonly string[], known: readonly string[]): string {
  if (known.length > comparedMaximum.known) return "";
  const compared = unknown.slice(0, comparedMaximum.unknown);
  const nearest = new Set(compared.flatMap((name) => nearestName(name, known) ?? []));
  return nearest.size === 0 ? "" : `Did you mean ${[...nearest].join(" and ")}? `;
}

/** The known name with the fewest other letters, at most half of them. */
function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > comparedMaximum.letters) return undefined;
  let nearest: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const each of known) {
    if (each.length > comparedMaximum.letters) continue;
    const differing = distance(name.toLowerCase(), each.toLowerCase());
    if (differing >= fewest || differing * 2 > Math.max(name.length, each.length)) continue;
    [nearest, fewest] = [each, differing];
  }
  return nearest;
}

/** How many letters differ (Levenshtein). */
function distance(one: string, other: string): number {
  // Plain loops over arrays of numbers: a request may cause many comparisons.
  let row = Uint16Array.from({ length: other.length + 1 }, (_, index) => index);
  let next = new Uint16Array(row.length);
  for (let index = 0; index < one.length; index += 1) {
    const letter = one.charCodeAt(index);
    next[0] = index + 1;
    for (let column = 0; column < other.length; column += 1) {
      const replaced = (row[column] ?? 0) + (letter === other.charCodeAt(column) ? 0 : 1);
      next[column + 1] = Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1);
    }
    [row, next] = [next, row];
  }
  return row[other.length] ?? 0;
}

/** Whether `value` is a finite number from 0 on. */
export function isAmount(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value < Number.POSITIVE_INFINITY;
}

function describe(value: unknown): string {
  return typeof value === "string" ? `the string "${value}": give a number` : String(value);
}
