/** A process that rates is killed with -9, again and again: what it acknowledged must be there, and nothing be broken. */
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
  // What is lost stays lost, so it is found after each kill that follows.
  const lost = new Set<string>();
  const faults = new Set<string>();
  for (let kill = 1; kill <= kills; kill += 1) {
    const child = raters.start();
    // Anywhere in its first hundred ratings, of which several are under way.
    await child.printed(20 + Math.floor(Math.random() * 200));
    child.kill("SIGKILL");
    await child.ended;
    const reported = reportedBy(child.lines);
    acknowledged.push(...reported.acknowledged);
    // What was under way when an earlier process was killed may be there as long as nothing later was acknowledged.
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
