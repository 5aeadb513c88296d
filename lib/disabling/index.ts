/**
 * Disables and enables accounts with their ratings, and records who did it, when and why.
 *
 * The account changes at once. Its ratings leave the scores, or return to them, post by post in the background; what is
 * moved last is what counts, so a change may be reverted while it goes on.
 */
import { z } from "zod";
import type { AccountChange, Database, UserRow } from "../../db/index.ts";
import { decidersGained } from "../users/roles.ts";
import { comparisonKey } from "../users/schema.ts";
import type { User } from "../users/types.ts";
import { type FieldErrors, lines, validate } from "../validation.ts";

export { moveSomeRatings } from "./move-ratings.ts";
export type { AccountChange };

type Context = { database: Database };

const whyMaximum = 500;
/** Accounts that change in one transaction. */
const accountsPerStep = 50;
/** Most changes listed for administrators. */
export const changesMaximum = 20;

export const disablingSchema = z.object(
  {
    disabled: z.boolean("Disabled must be true or false."),
    why: lines("Reason", 1, whyMaximum),
  },
  "A change of an account is an object with disabled and why.",
);

export type SetDisabledOutcome =
  | { kind: "done"; username: string; ratings: number }
  /** Only administrators, never themselves, and one who can log in remains. */
  | { kind: "forbidden" }
  | { kind: "no-such-user" }
  | { kind: "invalid"; errors: FieldErrors };

/** Disables or enables another user; for administrators. `input` is unvalidated: `{ disabled, why }`. */
export async function setDisabled(
  { database }: Context,
  { actor, username, input, now }: { actor: Pick<User, "id">; username: string; input: unknown; now: number },
): Promise<SetDisabledOutcome> {
  const checked = validate(disablingSchema, input);
  return database.transaction(async () => {
    const administrator = await database.users.byId(actor.id);
    if (!administrator?.isAdministrator || administrator.disabledAt !== null) return { kind: "forbidden" };
    const user = await database.users.byUsernameKey(comparisonKey(username));
    if (!user) return { kind: "no-such-user" };
    if (user.id === actor.id) return { kind: "forbidden" };
    if (!checked.ok) return { kind: "invalid", errors: checked.errors };
    const change = { database, ...checked.value, byUserId: actor.id, now };
    const { refused, ratings } = await changeTogether(change, [user]);
    return refused.length > 0 ? { kind: "forbidden" } : { kind: "done", username: user.username, ratings };
  });
}

export interface Changed {
  /** The accounts that changed. */
  usernames: string[];
  /** Their ratings, and the posts that these are of. */
  ratings: number;
  posts: number;
  /** Accounts that stay as they are, because no administrator who can log in would be left. */
  refused: string[];
}

/**
 * Disables or enables many accounts for the operator; those that are so already are left out. A dry run only says what
 * would happen.
 */
export async function changeAccounts(
  { database }: Context,
  accounts: readonly UserRow[],
  { disabled, why, now, dryRun }: { disabled: boolean; why: string | null; now: number; dryRun: boolean },
): Promise<Changed> {
  const changing = accounts.filter((user) => (user.disabledAt !== null) !== disabled);
  const ids = changing.map(({ id }) => id);
  const counted = await countRatings(database, ids, disabled ? "counted" : "set aside");
  const refused: string[] = [];
  if (dryRun && disabled) refused.push(...(await lastAdministrators(database, changing)));
  if (!dryRun) {
    let changeId: number | undefined;
    for (let from = 0; from < changing.length; from += accountsPerStep) {
      const some = changing.slice(from, from + accountsPerStep);
      const change = { database, disabled, byUserId: null, why, now, changeId };
      const outcome = await database.transaction(() => changeTogether(change, some));
      changeId = outcome.changeId;
      refused.push(...outcome.refused);
    }
  }
  const usernames = changing.map(({ username }) => username).filter((name) => !refused.includes(name));
  return { usernames, ...counted, refused };
}

/** The names of those who would be refused, because disabling the accounts leaves no administrator who can log in. */
async function lastAdministrators(database: Database, changing: readonly UserRow[]): Promise<string[]> {
  const administrators = changing.filter((user) => user.isAdministrator);
  if (administrators.length === 0) return [];
  const ids = new Set(administrators.map(({ id }) => id));
  const all = await database.users.all();
  const isOneLeft = all.some((user) => user.isAdministrator && user.disabledAt === null && !ids.has(user.id));
  const last = administrators.toSorted((a, b) => a.id - b.id).at(-1);
  return isOneLeft || !last ? [] : [last.username];
}

/** The ratings of users, and how many posts they are of, in bounded queries. */
async function countRatings(
  database: Database,
  ids: readonly number[],
  where: "counted" | "set aside",
): Promise<{ ratings: number; posts: number }> {
  const posts = new Set<number>();
  let ratings = 0;
  for (let from = 0; from < ids.length; from += accountsPerStep) {
    const some = await database.accountChanges.countRatings(ids.slice(from, from + accountsPerStep), where);
    ratings += some.ratings;
    for (const id of some.postIds) posts.add(id);
  }
  return { ratings, posts: posts.size };
}

interface Change {
  database: Database;
  disabled: boolean;
  byUserId: number | null;
  why: string | null;
  now: number;
  /** The record to add to. */
  changeId?: number | undefined;
}

/** Call it in a transaction. */
async function changeTogether(
  { database, disabled, byUserId, why, now, changeId }: Change,
  accounts: readonly UserRow[],
): Promise<{ changeId: number | undefined; refused: string[]; ratings: number }> {
  const refused: string[] = [];
  let change = changeId;
  const ids = accounts.map(({ id }) => id);
  const { ratings } = await database.accountChanges.countRatings(ids, disabled ? "counted" : "set aside");
  for (const { id } of accounts.toSorted((a, b) => a.id - b.id)) {
    // Locks the account: a rating that it gives at this moment is saved before, or refused after.
    const user = await database.users.lock(id);
    if (!user || (user.disabledAt !== null) === disabled) continue;
    if (disabled && user.isAdministrator && !(await database.users.hasAdministratorBesides(id))) {
      refused.push(user.username);
      continue;
    }
    await database.users.setDisabledAt(id, disabled ? now : null);
    if (disabled) await database.users.endSessions(id);
    const kind = disabled ? "disable" : "enable";
    change ??= await database.accountChanges.insert({ kind, at: now, byUserId, why });
    const deciders = decidersGained(user, { disabledAt: disabled ? now : null });
    await database.accountChanges.addUser(change, id, deciders);
  }
  return { changeId: change, refused, ratings };
}

/** A change with some of its accounts' names. */
export interface ListedChange extends AccountChange {
  usernames: string[];
}

const namesShown = 5;

/** The latest changes of accounts, newest first, for administrators: roles and approvals too. */
export async function latestChanges({ database }: Context, user: User): Promise<ListedChange[]> {
  if (!user.isAdministrator) return [];
  const changes = await database.accountChanges.latest(changesMaximum);
  const listed: ListedChange[] = [];
  for (const change of changes)
    listed.push({
      ...change,
      usernames: [
        ...(await database.accountChanges.usernames(change.id, namesShown)),
        ...change.removedNames,
      ].slice(0, namesShown),
    });
  return listed;
}
