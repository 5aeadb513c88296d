/** Disables or enables accounts in batches, one transaction each, on record. */
import type { Database, UserRow } from "../../db/index.ts";
import { administrator, decidersGained, operator } from "../users/roles.ts";

/** Accounts that change in one transaction. */
const accountsPerStep = 50;

interface Change {
  disabled: boolean;
  /** The administrator; null for the operator's command. */
  byUserId: number | null;
  why: string | null;
  now: number;
  /** Only reports the effects. */
  dryRun: boolean;
}

export interface AccountChangeResult {
  /** The accounts that changed. */
  usernames: string[];
  /** How many of their ratings move, and of how many posts. */
  ratings: number;
  posts: number;
  /**
   * Accounts that are left unchanged.
   * Of administrators, whose role another one changes first, with a password; the operator's command leaves only that
   * of the last administrator who can log in.
   */
  refused: string[];
}

/**
 * Disables or enables accounts; leaves out those in that state already.
 * Undefined when the user is not, or no longer, an administrator.
 */
export async function changeAccounts(
  database: Database,
  accounts: readonly UserRow[],
  change: Change,
): Promise<AccountChangeResult | undefined> {
  const { disabled, byUserId, dryRun } = change;
  if (!(await mayChange(database, byUserId))) return undefined;
  const changing = accounts
    .filter((user) => (user.disabledAt !== null) !== disabled)
    .toSorted((a, b) => a.id - b.id);
  const refusedBefore = dryRun ? await wouldBeRefused(database, changing, change) : [];
  const usernames: string[] = [];
  const refused = refusedBefore.map(({ username }) => username);
  const posts = new Set<number>();
  let ratings = 0;
  let changeId: number | undefined;
  for (let from = 0; from < changing.length; from += accountsPerStep) {
    const some = changing.slice(from, from + accountsPerStep).filter((user) => !refusedBefore.includes(user));
    const step = dryRun
      ? await counted(database, some, disabled)
      : await database.transaction(() => changeTogether(database, some, change, changeId));
    if (!step) return undefined;
    changeId = step.changeId;
    usernames.push(...step.usernames);
    refused.push(...step.refused);
    ratings += step.ratings;
    for (const id of step.postIds) posts.add(id);
  }
  return { usernames, ratings, posts: posts.size, refused };
}

interface BatchResult {
  usernames: string[];
  refused: string[];
  ratings: number;
  postIds: number[];
  /** The record of the change. */
  changeId: number | undefined;
}

async function mayChange({ users }: Database, byUserId: number | null): Promise<boolean> {
  if (byUserId === null) return true;
  const administrator = await users.byId(byUserId);
  return administrator?.isAdministrator === true && administrator.disabledAt === null;
}

/** The accounts that `changeTogether` would refuse to change. */
async function wouldBeRefused(
  { users }: Database,
  changing: readonly UserRow[],
  { disabled, byUserId }: Pick<Change, "disabled" | "byUserId">,
): Promise<UserRow[]> {
  const administrators = changing.filter((user) => user.isAdministrator);
  if (byUserId !== null) return administrators;
  if (!disabled || administrators.length === 0) return [];
  // All of them are enabled: accounts that are disabled already are left out.
  const isOneLeft = await users.hasMoreAdministratorsThan(administrators.length);
  return isOneLeft ? [] : administrators.slice(-1);
}

async function counted(
  database: Database,
  accounts: readonly UserRow[],
  disabled: boolean,
): Promise<BatchResult> {
  const ids = accounts.map(({ id }) => id);
  const found = await database.accountChanges.countRatings(ids, disabled ? "counted" : "set aside");
  return {
    ...found,
    usernames: accounts.map(({ username }) => username),
    refused: [],
    changeId: undefined,
  };
}

/** Call it in a transaction. */
async function changeTogether(
  database: Database,
  accounts: readonly UserRow[],
  { disabled, byUserId, why, now }: Change,
  changeId: number | undefined,
): Promise<BatchResult | undefined> {
  const { users, accountChanges } = database;
  if (!(await mayChange(database, byUserId))) return undefined;
  // Locks the accounts: a rating that one gives at this moment is saved before, or refused after.
  const locked = await users.lockAll(accounts.map(({ id }) => id));
  const disabledAt = disabled ? now : null;
  const changing: UserRow[] = [];
  const refused: string[] = [];
  for (const user of locked.filter((user) => (user.disabledAt !== null) !== disabled)) {
    if (user.isAdministrator) {
      if (byUserId !== null || (disabled && !(await users.hasOtherAdministrator(user.id)))) {
        refused.push(user.username);
        continue;
      }
      await users.setDisabledAt(user.id, disabledAt); // now, so that the next one is not counted on
    }
    changing.push(user);
  }
  const step = await counted(database, changing, disabled);
  if (changing.length === 0) return { ...step, refused, changeId };
  const changed = changing.map((user) => ({
    userId: user.id,
    deciders: decidersGained(user, { disabledAt }),
  }));
  const ids = changing.map(({ id }) => id);
  await users.setAllDisabledAt(ids, disabledAt);
  const kind = disabled ? "disable" : "enable";
  const by = byUserId === null ? operator : administrator({ id: byUserId });
  const record = changeId ?? (await accountChanges.insert({ kind, at: now, ...by, why }));
  await accountChanges.addUsers(record, changed);
  return { ...step, refused, changeId: record };
}
