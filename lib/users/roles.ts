import type { AccountChangeActor, Database, UserRow } from "../../db/index.ts";

export type Role = "administrator" | "moderator" | "writer";

/** The maker of an account's change, as on record. */
export interface Actor {
  actor: AccountChangeActor;
  /** The administrator; null for another actor. */
  byUserId: number | null;
}

interface RoleChange {
  /** The user's row, from `users.lock` in this transaction. */
  user: UserRow;
  role: Role;
  given: boolean;
  by: Actor;
  why?: string;
  now: number;
}

type RoleQueries = Pick<Database, "users" | "accountChanges">;

export const operator: Actor = { actor: "operator", byUserId: null };

export function administrator({ id }: { id: number }): Actor {
  return { actor: "administrator", byUserId: id };
}

function isStaff({ isAdministrator, isModerator }: UserRow): boolean {
  return isAdministrator || isModerator;
}

/** Whether a user decides on floods: an administrator or moderator who can log in. */
function decides(user: UserRow): boolean {
  return user.disabledAt === null && isStaff(user);
}

/**
 * The change in the number of deciders by a change of an account.
 * 1 when the account gains the right to decide on floods, -1 when it loses it, otherwise 0. A first such role counts as
 * given while the account is disabled: another person may enable it.
 */
export function decidersGained(user: UserRow, change: Partial<UserRow>): number {
  const after = { ...user, ...change };
  if (!isStaff(user) && isStaff(after)) return 1;
  return Number(decides(after)) - Number(decides(user));
}

/**
 * Gives or revokes a role, on record. Call it in a transaction.
 * Does nothing when the user has, or lacks, the role already.
 */
export async function setRole(context: RoleQueries, change: RoleChange): Promise<void> {
  const { user, role, given } = change;
  if (user[flagOf(role)] === given) return;
  if (role === "administrator") await context.users.setAdministrator(user.id, given);
  else if (role === "moderator") await context.users.setModerator(user.id, given);
  else await context.users.setWriter(user.id, given);
  await recordRole(context, change);
}

/**
 * Deletes an account.
 * Makes the oldest one an administrator's when no other administrator can log in. On record where that changes who
 * decides on floods. Call it in a transaction, after `users.lock`.
 */
export async function leave(context: RoleQueries, user: UserRow, now: number): Promise<void> {
  const { users, accountChanges } = context;
  await users.markDeleted(user.id, now);
  if (decides(user))
    await accountChanges.record({ kind: "delete", at: now, actor: "owner", byUserId: null, why: null }, [], {
      count: 1,
      deciders: -1,
    });
  // Always: the user may have become the only administrator since the session was read.
  const made = await users.keepAnAdministrator();
  if (!made) return;
  const by: Actor = { actor: "server", byUserId: null };
  const before = { ...made, isAdministrator: false };
  await recordRole(context, { user: before, role: "administrator", given: true, by, now });
}

async function recordRole(
  { accountChanges }: Pick<RoleQueries, "accountChanges">,
  { user, role, given, by, why, now }: RoleChange,
): Promise<void> {
  const kind = `${given ? "make" : "remove"}-${role}` as const;
  const deciders = decidersGained(user, { [flagOf(role)]: given });
  await accountChanges.record({ kind, at: now, ...by, why: why ?? null }, [{ userId: user.id, deciders }]);
}

/** The column that has a role. */
export function flagOf(role: Role) {
  const flags = { administrator: "isAdministrator", moderator: "isModerator", writer: "isWriter" } as const;
  return flags[role];
}
