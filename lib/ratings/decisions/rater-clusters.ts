/**
 * Common properties of many raters.
 * Evidence for the people who decide, and no verdict on any person.
 */

import { dayMs } from "../../time/units.ts";

interface Rater {
  /** When they rated. */
  at: number;
  /** When their account was registered; 0 or less when unknown. */
  registeredAt: number;
  /** The hash of their network on that day; null when unknown. */
  network: string | null;
}

export interface RaterClusters {
  /**
   * How many raters' networks are known, and how many share the largest one.
   * The largest of each day, added up.
   */
  withNetwork: number;
  inOneNetwork: number;
  /** How many registration times are known, and the most within 24 hours. */
  withAge: number;
  registeredWithinDay: number;
}

/**
 * Counts clusters of networks and registrations.
 * A network's hash changes every day, so networks are compared within each day and added up.
 */
export function clustersOf(raters: readonly Rater[]): RaterClusters {
  const networks = raters.flatMap(({ at, network }) => (network === null ? [] : [{ at, network }]));
  const days = Map.groupBy(networks, ({ at }) => Math.floor(at / dayMs));
  const registrations = raters.map(({ registeredAt }) => registeredAt).filter((at) => at > 0);
  return {
    withNetwork: networks.length,
    inOneNetwork: [...days.values()].reduce((total, ofDay) => total + largestGroup(ofDay), 0),
    withAge: registrations.length,
    registeredWithinDay: mostWithin(registrations, dayMs),
  };
}

function largestGroup(ratings: readonly { network: string }[]): number {
  return Math.max(
    ...[...Map.groupBy(ratings, ({ network }) => network).values()].map((group) => group.length),
  );
}

/** The most of these times in one half-open span. */
export function mostWithin(times: readonly number[], span: number): number {
  const inOrder = times.toSorted((a, b) => a - b);
  let [most, first] = [0, 0];
  for (const [last, time] of inOrder.entries()) {
    while (time - (inOrder[first] ?? time) >= span) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
