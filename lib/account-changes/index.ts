/**
 * Disables and enables accounts with their ratings, and records each change.
 *
 * The accounts change at once. Their ratings leave the scores, or return to them, post by post in the background; the
 * latest change counts, so a change may be reverted while its ratings are still being moved.
 */
import type { AccountChange, Database } from "../../db/index.ts";
import { comparisonKey } from "../users/schema.ts";
import type { DatabaseContext, User } from "../users/types.ts";
import { type Invalid, validate } from "../validation.ts";
import { type AccountChangeResult, changeAccounts } from "./change-accounts.ts";
import {
  accountsChangeSchema,
  accountsMaximum,
  disablingSchema,
  operatorsChangeSchema,
  selectAccounts,
} from "./selection.ts";

export type { AccountChangeResult } from "./change-accounts.ts";
export { moveSomeRatings } from "./move-ratings.ts";
export { accountsChangeSchema, accountsMaximum, disablingSchema, momentFrom } from "./selection.ts";
export type { AccountChange };

/** Changes on a page of the list for administrators. */
export const changesPerPage = 20;

type SetDisabledOutcome =
  | { kind: "done"; username: string; ratings: number }
  /** Only for administrators. */
  | { kind: "forbidden" }
  /** Another administrator changes their role first. */
  | { kind: "is-administrator" }
  | { kind: "no-such-user" }
  | Invalid;

/**
 * Disables or enables a user who is not an administrator; for administrators.
 * `input` is unvalidated: `{ disabled, why }`.
 */
export async function setDisabled(
  { database }: DatabaseContext,
  { actor, username, input, now }: { actor: User; username: string; input: unknown; now: number },
): Promise<SetDisabledOutcome> {
  if (actor.lacksSecondFactor) return { kind: "forbidden" };
  const checked = validate(disablingSchema, input);
  const user = await database.users.byUsernameKey(comparisonKey(username));
  const change = { disabled: true, why: null, ...(checked.ok && checked.value), byUserId: actor.id, now };
  const dryRun = !checked.ok;
  const changed = await changeAccounts(database, user ? [user] : [], { ...change, dryRun });
  if (!changed) return { kind: "forbidden" };
  if (!user) return { kind: "no-such-user" };
  if (changed.refused.length > 0) return { kind: "is-administrator" };
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  return { kind: "done", username: user.username, ratings: changed.ratings };
}

type ChangeOutcome =
  | ({ kind: "done"; dryRun: boolean } & AccountChangeResult)
  | { kind: "forbidden" }
  | Invalid;

/**
 * Disables or enables many accounts, or only counts the effects.
 * `actor` is an administrator, who changes no account of an administrator, or null for the operator's command. `input` is
 * unvalidated. `isConfirmed`, if set, gets the effects and returns whether to apply them.
 */
export async function changeSelected(
  { database }: DatabaseContext,
  {
    actor,
    input,
    now,
    isConfirmed,
  }: {
    actor: Pick<User, "id" | "isAdministrator"> | null;
    input: unknown;
    now: number;
    isConfirmed?: (preview: AccountChangeResult) => boolean;
  },
): Promise<ChangeOutcome> {
  // Names are looked up for administrators only.
  if (actor && !actor.isAdministrator) return { kind: "forbidden" };
  const checked = validate(actor ? accountsChangeSchema : operatorsChangeSchema, input);
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  const { disabled, why = null, dryRun, ...selection } = checked.value;
  const selected = await selectAccounts(
    database,
    selection,
    actor ? accountsMaximum : Number.MAX_SAFE_INTEGER - 1,
  );
  if (selected.kind === "not-found") {
    const field = selection.usernames ? "usernames" : "registeredBefore";
    return { kind: "invalid", errors: { [field]: [selected.error] } };
  }
  const change = { disabled, why, dryRun, byUserId: actor?.id ?? null, now };
  if (isConfirmed) {
    const preview = await changeAccounts(database, selected.accounts, { ...change, dryRun: true });
    if (!preview) return { kind: "forbidden" };
    if (!isConfirmed(preview)) return { kind: "done", ...preview, dryRun: true };
  }
  const changed = await changeAccounts(database, selected.accounts, change);
  return changed ? { kind: "done", dryRun, ...changed } : { kind: "forbidden" };
}

/** A change with some of its accounts' names. */
export interface ListedChange extends AccountChange {
  usernames: string[];
}

const namesShown = 5;

/**
 * A page of the changes of accounts, newest first, for administrators.
 * Includes roles, approvals and invitations. With `before`, those older than the change of this number.
 */
export async function latestChanges(
  { database }: DatabaseContext,
  user: User,
  before?: number,
): Promise<{ changes: ListedChange[]; hasOlder: boolean }> {
  if (!user.isAdministrator) return { changes: [], hasOlder: false };
  const found = await database.accountChanges.latest(changesPerPage + 1, before);
  const listed: ListedChange[] = [];
  for (const change of found.slice(0, changesPerPage)) listed.push(await withNames(database, change));
  return { changes: listed, hasOlder: found.length > changesPerPage };
}

/** A change with some names of its accounts. */
export async function withNames(
  { accountChanges }: Pick<Database, "accountChanges">,
  change: AccountChange,
): Promise<ListedChange> {
  const names = [...(await accountChanges.usernames(change.id, namesShown)), ...change.removedNames];
  return { ...change, usernames: names.slice(0, namesShown) };
}
