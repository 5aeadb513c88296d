/**
 * The log of decisions and changes: actor, action, time and reason.
 *
 * Changes of accounts and decisions on floods are two tables, each in the order in which they were written. A page merges
 * them by time, and the next one begins where this one stopped in each.
 */
import type { LoggedDecision } from "../../db/index.ts";
import { type ListedChange, withNames } from "../account-changes/index.ts";
import type { DatabaseContext, User } from "../users/types.ts";

export type { LoggedDecision };

export type LogEntry =
  | ({ entry: "change" } & ListedChange)
  /** A person's decision on a flood. */
  | ({ entry: "decision" } & LoggedDecision);

/** Where a page begins: before the change and the decision of these numbers. */
export interface LogPlace {
  change: number;
  decision: number;
}

export const entriesPerPage = 20;

/** A page of the log, newest first; empty for users who are not administrators. */
export async function auditLog(
  { database }: DatabaseContext,
  { isAdministrator }: Pick<User, "isAdministrator">,
  before: Partial<LogPlace> = {},
): Promise<{ entries: LogEntry[]; older: LogPlace | null }> {
  if (!isAdministrator) return { entries: [], older: null };
  const limit = entriesPerPage + 1;
  const changes = await database.accountChanges.latest(limit, before.change, "all");
  const decisions = await database.floodWindows.latestByPeople(limit, before.decision);
  const older: LogPlace = {
    change: before.change ?? Number.MAX_SAFE_INTEGER,
    decision: before.decision ?? Number.MAX_SAFE_INTEGER,
  };
  const entries: LogEntry[] = [];
  while (entries.length < entriesPerPage) {
    const [change] = changes;
    const [decision] = decisions;
    if (change && (!decision || change.at >= decision.at)) {
      entries.push({ entry: "change", ...(await withNames(database, change)) });
      older.change = change.id;
      changes.shift();
    } else if (decision) {
      entries.push({ entry: "decision", ...decision });
      older.decision = decision.id;
      decisions.shift();
    } else return { entries, older: null };
  }
  return { entries, older: changes.length + decisions.length > 0 ? older : null };
}
