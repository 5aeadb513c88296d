/**
 * Kills a process that rates with -9, again and again.
 * Every acknowledged rating must be there, and no counter be wrong.
 */
import type { Database } from "../../db/index.ts";
import { lostRatings, type SentRating } from "../../testing/integrity.ts";
import { type Raters, reportedBy } from "./raters.ts";

export interface KillResult {
  acknowledged: number;
  /** Acknowledged, and not there after one of the kills. */
  lost: number;
  faults: number;
}

export async function killRaters(
  database: Database,
  raters: Raters,
  kills: number,
  faultsOf: () => Promise<string[]>,
): Promise<KillResult> {
  const acknowledged: SentRating[] = [];
  let unanswered: SentRating[] = [];
  // A lost rating stays lost, so the check after each further kill finds it again.
  const lost = new Set<string>();
  const faults = new Set<string>();
  for (let kill = 1; kill <= kills; kill += 1) {
    const child = raters.start();
    // Anywhere in its first hundred ratings, of which several are in flight; the last kill is after an acknowledgement.
    const least = kill === kills ? raters.inFlight + 1 : 20;
    await child.printed(least + Math.floor(Math.random() * 200));
    child.kill("SIGKILL");
    await child.ended;
    const reported = reportedBy(child.lines);
    acknowledged.push(...reported.acknowledged);
    // A rating in flight at an earlier kill may be saved as long as no later one was acknowledged.
    unanswered = unanswered.filter((sent) => !reported.acknowledged.some((later) => isOfSame(later, sent)));
    unanswered.push(...reported.unanswered);
    for (const line of await lostRatings(database, acknowledged, unanswered)) lost.add(line);
    for (const line of await faultsOf()) faults.add(line);
  }
  for (const line of [...lost, ...faults]) console.error(line);
  return { acknowledged: acknowledged.length, lost: lost.size, faults: faults.size };
}

function isOfSame(one: SentRating, other: SentRating): boolean {
  return one.slug === other.slug && one.userId === other.userId;
}
