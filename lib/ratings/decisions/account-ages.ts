/**
 * A window's raters compared with the post's others, for deciders.
 * The ages of their accounts, and clusters of networks and registrations.
 */
import type { Database } from "../../../db/index.ts";
import { ageBandOf, ageBands } from "../floods/flood-detector.ts";
import { type FloodWindow, isUndecided } from "../floods/flood-window.ts";
import { clustersOf, type RaterClusters } from "./rater-clusters.ts";

/** The maximum numbers of the latest raters of a window, and of windows. */
const ratersMaximum = 1_000;
export const agesMaximum = 10;
/** The most raters of a window that are listed by name. */
const listedMaximum = 100;

export interface AccountAges {
  window: number;
  /** How many of its raters were in each age band when they rated. */
  own: readonly number[];
  others: readonly number[];
  ownClusters: RaterClusters;
  otherClusters: RaterClusters;
  /** Its latest raters by name. */
  raters: readonly ListedRater[];
}

export interface ListedRater {
  username: string;
  score: number;
  at: number;
  /** 0 or less when unknown. */
  registeredAt: number;
}

/**
 * Of the newest windows, those without a final decision first.
 * The decisions on the others can still be changed.
 */
export async function accountAgesOf(
  database: Pick<Database, "ratings">,
  postId: number,
  windows: readonly FloodWindow[],
): Promise<AccountAges[]> {
  const undecidedFirst = windows.toSorted((a, b) => Number(isUndecided(b)) - Number(isUndecided(a)));
  if (windows.length === 0) return [];
  const others = await database.ratings.raters(postId, null, ratersMaximum);
  const ofOthers = { others: counted(others), otherClusters: clustersOf(others) };
  const ages: AccountAges[] = [];
  for (const { number } of undecidedFirst.slice(0, agesMaximum)) {
    const own = await database.ratings.raters(postId, number, ratersMaximum);
    const raters = own.slice(0, listedMaximum).map(({ network: _, ...rater }) => rater);
    ages.push({ window: number, own: counted(own), ownClusters: clustersOf(own), raters, ...ofOthers });
  }
  return ages;
}

function counted(raters: readonly { at: number; registeredAt: number }[]): number[] {
  const counts = Array<number>(ageBands).fill(0);
  for (const { at, registeredAt } of raters) {
    if (registeredAt <= 0) continue; // unknown
    const band = ageBandOf(Math.max(0, at - registeredAt));
    counts[band] = (counts[band] ?? 0) + 1;
  }
  return counts;
}
