/**
 * Ratios that hold on a busy machine.
 *
 * The sides of a comparison are measured in turns, round by round, and only results of the same round are compared.
 */

/**
 * A side of a comparison.
 * Does one round of work and resolves to its speed, in anything per second.
 */
export type Side = () => number | Promise<number>;

/** The median of all rounds; the middle half of them lies between `low` and `high`. */
export interface Spread {
  median: number;
  low: number;
  high: number;
}

/** The ratio of two speeds, round by round. */
export type Ratio = Spread;

/**
 * The speeds of all sides, a list by round for each.
 *
 * The first rounds (one, unless set) are run and not counted: they are slow, because nothing is compiled and cached yet.
 * Every other round goes backwards, so that no side always follows the same one.
 */
export async function inTurns<Name extends string>(
  rounds: number,
  sides: Record<Name, Side>,
  warmUpRounds = 1,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(sides) as Name[];
  // Object.fromEntries forgets which names it was given.
  const speeds = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  for (let round = 0; round < warmUpRounds + rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const speed = await sides[name]();
      if (round >= warmUpRounds) speeds[name].push(speed);
    }
  }
  return speeds;
}

/** How many times as fast the one side was as the other, round by round. */
export function ratioOf(speeds: readonly number[], reference: readonly number[]): Ratio {
  return spreadOf(speeds.map((speed, round) => speed / (reference[round] ?? Number.NaN)));
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: quantile(sorted, 0.5), low: quantile(sorted, 0.25), high: quantile(sorted, 0.75) };
}

/** The same comparison the other way round: how many times as long it took. */
export function inverseOf({ median, low, high }: Ratio): Ratio {
  return { median: 1 / median, low: 1 / high, high: 1 / low };
}

/**
 * Runs `work` this many times, one after the other.
 *
 * Returns the runs per second. Synchronous work is awaited like any other, so that all sides have the same overhead.
 */
export async function speedOf(times: number, work: (index: number) => void | Promise<void>): Promise<number> {
  const startedAt = performance.now();
  for (let index = 0; index < times; index += 1) await work(index);
  return (times / (performance.now() - startedAt)) * 1_000;
}

/**
 * Runs per second of CPU time.
 * For work without waiting, on which other programs then have hardly any effect.
 */
export async function processorSpeedOf(
  times: number,
  work: (index: number) => void | Promise<void>,
): Promise<number> {
  const before = process.cpuUsage();
  for (let index = 0; index < times; index += 1) await work(index);
  const { user, system } = process.cpuUsage(before);
  return (times / (user + system)) * 1_000_000;
}

/** The middle one, or between the two in the middle. */
export function medianOf(values: readonly number[]): number {
  return spreadOf(values).median;
}

function quantile(sorted: readonly number[], share: number): number {
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position % 1);
}
