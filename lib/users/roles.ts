import type { Database, UserRow } from "../../db/index.ts";

export type Role = "administrator" | "moderator";

interface RoleChange {
  /** As `users.lock` found them in this transaction. */
  user: UserRow;
  role: Role;
  given: boolean;
  /** The administrator; null for the operator's command. */
  byUserId: number | null;
  now: number;
}

/** Whether a user decides on floods: an administrator or moderator who can log in. */
function decides({ isAdministrator, isModerator, disabledAt }: UserRow): boolean {
  return disabledAt === null && (isAdministrator || isModerator);
}

/** By how many a change of an account changes the number of those who decide on floods. */
export function decidersGained(user: UserRow, change: Partial<UserRow>): number {
  return Number(decides({ ...user, ...change })) - Number(decides(user));
}

/** Gives a user a role or takes it away, on record; does nothing when it is so already. Call it in a transaction. */
export async function setRole(
  { users, accountChanges }: Pick<Database, "users" | "accountChanges">,
  { user, role, given, byUserId, now }: RoleChange,
): Promise<void> {
  const has = role === "administrator" ? "isAdministrator" : "isModerator";
  if (user[has] === given) return;
  if (role === "administrator") await users.setAdministrator(user.id, given);
  else await users.setModerator(user.id, given);
  const kind = `${given ? "make" : "remove"}-${role}` as const;
  const deciders = decidersGained(user, { [has]: given });
  await accountChanges.record({ kind, at: now, byUserId, why: null, deciders }, [user.id]);
}
