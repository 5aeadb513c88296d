/**
 * Accounts: register, log in, change the password, end all sessions, disable, delete.
 *
 * Password guesses are limited before anything is hashed. An unknown name and a wrong password give the same result in
 * the same time.
 */
import type { UserRow } from "../../db/index.ts";
import type { Refused } from "../limits/guard.ts";
import { validate } from "../validation.ts";
import { type PasswordsBusy, passwordHasher } from "./password.ts";
import { leave } from "./roles.ts";
import { accountDeletionSchema, comparisonKey, logInSchema, passwordChangeSchema } from "./schema.ts";
import type { AccountContext, Invalid, SessionClaim, User } from "./types.ts";
import { weaknessOf } from "./weak-passwords.ts";

export { type NotOpen, type RegistrationContext, register, registrationChallenge } from "./register.ts";

export type { AccountContext, Invalid, SessionClaim, User };

/** Checks a username and a password. `address` is the client's. */
export async function logIn(
  context: AccountContext,
  { input, address, now }: { input: unknown; address: string; now: number },
): Promise<
  | { kind: "logged-in"; user: User; claim: SessionClaim }
  | { kind: "wrong" }
  | { kind: "disabled" }
  | PasswordsBusy
  | Refused
  | Invalid
> {
  const checked = validate(logInSchema, input);
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  const { username, password } = checked.value;
  const guess = await guessPassword(context, {
    usernameKey: comparisonKey(username),
    password,
    address,
    now,
  });
  if (guess.kind !== "right") return guess;
  const { user } = guess;
  if (user.disabledAt !== null) return { kind: "disabled" };
  return {
    kind: "logged-in",
    user: toUser(user),
    claim: { userId: user.id, sessionVersion: user.sessionVersion },
  };
}

/** Changes the password and ends every session; the claim returned is for a new one. */
export async function changePassword(
  context: AccountContext,
  { user, input, address, now }: { user: User; input: unknown; address: string; now: number },
): Promise<{ kind: "changed"; claim: SessionClaim } | { kind: "wrong" } | PasswordsBusy | Refused | Invalid> {
  const checked = validate(passwordChangeSchema, input);
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  const { currentPassword, newPassword } = checked.value;
  const email = (await context.database.users.byId(user.id))?.email;
  const weakness = await weaknessOf(newPassword, { username: user.username, email });
  if (weakness) return { kind: "invalid", errors: { newPassword: weakness } };
  const usernameKey = comparisonKey(user.username);
  const guess = await guessPassword(context, { usernameKey, password: currentPassword, address, now });
  if (guess.kind !== "right") return guess;
  const hashed = await passwordHasher().hash(newPassword);
  if (hashed.kind !== "hashed") return hashed;
  return context.database.transaction(async () => {
    if (!(await isUnchanged(context, guess.user))) return { kind: "wrong" };
    await context.database.users.setPasswordAndEndSessions(user.id, hashed.hash);
    const sessionVersion = (await context.database.users.byId(user.id))?.sessionVersion ?? 0;
    return { kind: "changed", claim: { userId: user.id, sessionVersion } };
  });
}

/** Ends every session of the user, this one included. */
export function logOutEverywhere({ database }: Pick<AccountContext, "database">, user: User): Promise<void> {
  return database.transaction(() => database.users.endSessions(user.id));
}

/**
 * Deletes the account, when the password is right: at once for all readers, while its posts and ratings are removed in the
 * background. When no other administrator can log in, the oldest account that is not disabled takes over.
 */
export async function deleteAccount(
  context: AccountContext,
  { user, input, address, now }: { user: User; input: unknown; address: string; now: number },
): Promise<{ kind: "deleted" } | { kind: "wrong" } | PasswordsBusy | Refused | Invalid> {
  const checked = validate(accountDeletionSchema, input);
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  const password = checked.value.currentPassword;
  return withPassword(context, { user, password, address, now }, async () => {
    const { database } = context;
    const leaving = await database.users.lock(user.id);
    if (leaving) await leave(database, leaving, now);
    return { kind: "deleted" };
  });
}

/** Runs `work` in a transaction if the password is right; guesses are limited as at log-in. */
export async function withPassword<T>(
  context: AccountContext,
  { user, password, address, now }: { user: User; password: string; address: string; now: number },
  work: () => Promise<T>,
): Promise<T | { kind: "wrong" } | PasswordsBusy | Refused> {
  const usernameKey = comparisonKey(user.username);
  const guess = await guessPassword(context, { usernameKey, password, address, now });
  if (guess.kind !== "right") return guess;
  return context.database.transaction(async () =>
    (await isUnchanged(context, guess.user)) ? work() : { kind: "wrong" },
  );
}

/** The session's user; null when the session has ended or the user is disabled. */
export async function userOfSession(
  { database }: Pick<AccountContext, "database">,
  { userId, sessionVersion }: SessionClaim,
): Promise<User | null> {
  const user = await database.users.byId(userId);
  if (!user || user.disabledAt !== null || user.sessionVersion !== sessionVersion) return null;
  return toUser(user);
}

export interface Profile {
  id: number;
  username: string;
  createdAt: number;
  isDisabled: boolean;
}

/** A user's public profile; null if there is none. */
export async function profileOf(
  { database }: Pick<AccountContext, "database">,
  username: string,
): Promise<Profile | null> {
  const user = await database.users.byUsernameKey(comparisonKey(username));
  if (!user) return null;
  return {
    id: user.id,
    username: user.username,
    createdAt: user.createdAt,
    isDisabled: user.disabledAt !== null,
  };
}

/** Whether there is any account. */
export async function hasAccounts({ database }: Pick<AccountContext, "database">): Promise<boolean> {
  return !(await database.users.isFirst());
}

/** Whether the password is unchanged since it was checked; locks the user until the transaction ends. */
async function isUnchanged({ database }: AccountContext, { id, passwordHash }: UserRow): Promise<boolean> {
  return (await database.users.lock(id))?.passwordHash === passwordHash;
}

async function guessPassword(
  { database, limits, guard }: AccountContext,
  {
    usernameKey,
    password,
    address,
    now,
  }: { usernameKey: string; password: string; address: string; now: number },
): Promise<{ kind: "right"; user: UserRow } | { kind: "wrong" } | PasswordsBusy | Refused> {
  // Before the limits: a guess that is not looked at does not count.
  if (passwordHasher().isBusy()) return { kind: "passwords-busy" };
  const perAccount = limits["login.account"];
  const refused = await guard.guarded({
    client: { address },
    now,
    plan: async () => ({
      checks: [
        [limits["login.address"], address],
        [perAccount, usernameKey],
      ],
      execute: async (verdict) => verdict.refused,
    }),
  });
  if (refused) return refused;
  const user = await database.users.byUsernameKey(usernameKey);
  const checked = await passwordHasher().check(user?.passwordHash, password);
  if (checked.kind === "passwords-busy") return checked;
  if (checked.kind === "wrong" || !user) return { kind: "wrong" };
  // Resets the account's count only: the address may be guessing at other accounts.
  await guard.forget(perAccount, usernameKey);
  return { kind: "right", user };
}

function toUser({ id, username, isAdministrator, isModerator, pendingSince }: UserRow): User {
  return { id, username, isAdministrator, isModerator, ...(pendingSince !== null && { isPending: true }) };
}
