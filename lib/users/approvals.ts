/** Accounts that wait for an administrator's approval: they can log in, but neither rate nor write. */
import type { Database } from "../../db/index.ts";
import { isActingAdministrator } from "./rights.ts";
import { comparisonKey } from "./schema.ts";
import type { User } from "./types.ts";

type Context = { database: Database };

/** An account as the list for administrators shows it. */
export interface PendingAccount {
  username: string;
  email: string;
  pendingSince: number;
}

export const pendingShownAtMost = 100;

/** The accounts that wait, those that have waited longest first; for administrators. */
export async function pendingAccounts({ database }: Context): Promise<PendingAccount[]> {
  const rows = await database.users.pending(pendingShownAtMost);
  return rows.map(({ username, email, pendingSince }) => ({
    username,
    email,
    pendingSince: pendingSince ?? 0,
  }));
}

/** Approves an account that waits, or removes it: its name and email are free again. */
export function decideAccount(
  { database }: Context,
  {
    actor,
    username,
    approve,
    now,
  }: { actor: Pick<User, "id">; username: string; approve: boolean; now: number },
): Promise<{ kind: "done" } | { kind: "forbidden" } | { kind: "not-pending" }> {
  return database.transaction(async () => {
    if (!(await isActingAdministrator(database, actor))) return { kind: "forbidden" };
    const found = await database.users.byUsernameKey(comparisonKey(username));
    const user = found && (await database.users.lock(found.id));
    if (!user || user.pendingSince === null) return { kind: "not-pending" };
    const kind = approve ? "approve" : "reject";
    const change = { kind, at: now, byUserId: actor.id, why: null } as const;
    if (approve) {
      await database.users.approve(user.id);
      await database.accountChanges.record(change, [user.id]);
    } else {
      await database.users.remove(user.id);
      await database.accountChanges.record({ ...change, removedNames: [user.username] }, []);
    }
    return { kind: "done" };
  });
}
