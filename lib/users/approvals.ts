/**
 * Accounts that wait for an administrator's approval.
 * They can log in, but neither rate nor write.
 */
import type { Database } from "../../db/index.ts";
import { derivedKey } from "../auth/token.ts";
import { networksOf } from "../http/client-address.ts";
import { asActingAdministrator } from "./permissions.ts";
import { networkHash } from "./registration-limits.ts";
import { administrator } from "./roles.ts";
import { comparisonKey } from "./schema.ts";
import type { DatabaseContext, User } from "./types.ts";

/** The maximum number of accounts of one decision. */
export const decisionMaximum = 50;

export interface PendingSearch {
  /** Part of a username or an email. */
  search?: string | undefined;
  /** As `PendingAccount.network`: only accounts from this network. */
  network?: string | undefined;
  /** From 1 on; a page after the last one is the last one. */
  page?: number | undefined;
  /** As many as one decision may have, unless set. */
  perPage?: number;
}

/** An account as the list for administrators shows it. */
export type PendingAccount = Awaited<ReturnType<Database["users"]["pending"]>>[number];

/**
 * A page of the accounts that wait for approval, for administrators.
 * Accounts that have waited longest come first.
 */
export async function pendingAccounts(
  { database: { users } }: DatabaseContext,
  { search, network, page = 1, perPage = decisionMaximum }: PendingSearch = {},
): Promise<{ accounts: PendingAccount[]; count: number; page: number; pages: number }> {
  const filter = { search: search ? comparisonKey(search) : undefined, network };
  const count = await users.countPending(filter);
  const pages = Math.max(1, Math.ceil(count / perPage));
  const shown = Math.min(Math.max(1, page), pages);
  const offset = (shown - 1) * perPage;
  const accounts = await users.pending(perPage, { ...filter, offset });
  return { accounts, count, page: shown, pages };
}

/** How many accounts wait for approval; 0 for a user who does not decide on them. */
export async function countPendingAccounts(
  { database: { users } }: DatabaseContext,
  { isAdministrator }: Pick<User, "isAdministrator">,
): Promise<number> {
  return isAdministrator ? users.countPending() : 0;
}

type AccountsDecided =
  /**
   * `others` is how many no longer waited.
   * Another administrator had decided, or they were deleted.
   */
  { kind: "done"; decided: number; others: number } | { kind: "forbidden" };

/**
 * Approves accounts that wait, or removes them.
 * Names and emails of removed accounts are free again. One transaction, and one change on record.
 */
export function decideAccounts(
  { database }: DatabaseContext,
  { actor, ids, approve, now }: { actor: User; ids: readonly number[]; approve: boolean; now: number },
): Promise<AccountsDecided> {
  const { users, accountChanges } = database;
  return asActingAdministrator(database, actor, async () => {
    const decided: { id: number; username: string }[] = [];
    // In one order, so that two administrators who decide at once do not wait for one another.
    for (const id of [...new Set(ids)].toSorted((a, b) => a - b)) {
      const user = await users.lock(id);
      if (!user || user.pendingSince === null) continue;
      if (approve) await users.approve(id);
      else await users.remove(id);
      decided.push(user);
    }
    if (decided.length > 0) {
      const kind = approve ? "approve" : "reject";
      // Staff accounts wait for no approval, so none of these accounts decides on floods.
      await accountChanges.record(
        { kind, at: now, ...administrator(actor), why: null },
        approve ? decided.map(({ id }) => ({ userId: id, deciders: 0 })) : [],
        { names: approve ? [] : decided.map(({ username }) => username) },
      );
    }
    return { kind: "done", decided: decided.length, others: new Set(ids).size - decided.length };
  });
}

/** The same by names; `others` counts names without an account that waits. */
export async function decideNamedAccounts(
  { database }: DatabaseContext,
  { usernames, ...decision }: { actor: User; usernames: readonly string[]; approve: boolean; now: number },
): Promise<AccountsDecided> {
  const keys = [...new Set(usernames.map(comparisonKey))];
  const ids = (await database.users.byUsernameKeys(keys)).map(({ id }) => id);
  const outcome = await decideAccounts({ database }, { ids, ...decision });
  return outcome.kind === "done" ? { ...outcome, others: keys.length - outcome.decided } : outcome;
}

/**
 * The key of the network hashes of waiting accounts.
 * Derived from the secret that signs sessions.
 */
export function networkSecretFrom(authSecret: string): string {
  return derivedKey(authSecret, "networks").toString("hex");
}

/**
 * A keyed hash of an address's network (/24 or /56).
 * It shows administrators which accounts came from one network, without the address. Undefined when the network is
 * unknown.
 */
export function pendingNetworkHash(address: string, secret: string): string | undefined {
  const { network } = networksOf(address);
  return network && networkHash("pending", network, secret);
}
