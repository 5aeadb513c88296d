/**
 * Accounts: register, log in, change the password, end all sessions, disable, delete.
 *
 * Password guesses are limited before anything is hashed. An unknown name and a wrong password give the same result in
 * the same time.
 */
import type { UserRow } from "../../db/index.ts";
import type { Refused } from "../limits/guard.ts";
import { startSession } from "../sessions/index.ts";
import { validate } from "../validation.ts";
import {
  confirmationBudget,
  delayGuess,
  type GuessBudget,
  logInBudget,
  type Purpose,
} from "./guess-budgets.ts";
import { type PasswordsBusy, passwordHasher } from "./password.ts";
import { leave } from "./roles.ts";
import { accountDeletionSchema, comparisonKey, logInSchema, passwordChangeSchema } from "./schema.ts";
import type { AccountContext, Invalid, User } from "./types.ts";
import { toUser } from "./user-of-row.ts";
import { weaknessOf } from "./weak-passwords.ts";

export { type NotOpen, type RegistrationContext, register, registrationChallenge } from "./register.ts";

export type { AccountContext, Invalid, User };

/**
 * Checks a username and a password, and starts a session.
 * `address` is the client's, and `browser` its cookie of `known-browsers.ts`.
 */
export async function logIn(
  context: AccountContext,
  {
    input,
    address,
    now,
    device,
    browser,
  }: { input: unknown; address: string; now: number; device?: string; browser?: string | undefined },
): Promise<
  | { kind: "logged-in"; user: User; sessionToken: string }
  | { kind: "wrong" }
  | { kind: "disabled" }
  | PasswordsBusy
  | Refused
  | Invalid
> {
  const checked = validate(logInSchema, input);
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  const { username, password } = checked.value;
  const budget = await logInBudget(context, { username, address, browser });
  const guess = await guessPassword(context, { budget, username, password, now });
  if (guess.kind !== "right") return guess;
  const { user } = guess;
  const { database } = context;
  return database.transaction(async () => {
    const current = await database.users.lock(user.id);
    if (current?.passwordHash !== user.passwordHash) return { kind: "wrong" };
    if (current.disabledAt !== null) return { kind: "disabled" };
    const sessionToken = await startSession(database, { userId: user.id, device, now });
    return { kind: "logged-in", user: toUser(current), sessionToken };
  });
}

/** Changes the password, ends every session and starts a new one. */
export async function changePassword(
  context: AccountContext,
  {
    user,
    input,
    address,
    now,
    device,
  }: { user: User; input: unknown; address: string; now: number; device?: string },
): Promise<
  { kind: "changed"; sessionToken: string } | { kind: "wrong" } | PasswordsBusy | Refused | Invalid
> {
  const checked = validate(passwordChangeSchema, input);
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  const { currentPassword, newPassword } = checked.value;
  const email = (await context.database.users.byId(user.id))?.email;
  const weakness = await weaknessOf(newPassword, { username: user.username, email });
  if (weakness) return { kind: "invalid", errors: { newPassword: weakness } };
  const { username } = user;
  const budget = confirmationBudget(context, { user, purpose: "change-password", address });
  const guess = await guessPassword(context, { budget, username, password: currentPassword, now });
  if (guess.kind !== "right") return guess;
  const hashed = await passwordHasher().hash(newPassword, budget.isKnown);
  if (hashed.kind !== "hashed") return hashed;
  return context.database.transaction(async () => {
    if (!(await isUnchanged(context, guess.user))) return { kind: "wrong" };
    await context.database.users.setPasswordAndEndSessions(user.id, hashed.hash);
    const sessionToken = await startSession(context.database, { userId: user.id, device, now });
    return { kind: "changed", sessionToken };
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
  return withPassword(context, { user, password, purpose: "delete-account", address, now }, async () => {
    const { database } = context;
    const leaving = await database.users.lock(user.id);
    if (leaving) await leave(database, leaving, now);
    return { kind: "deleted" };
  });
}

/** Runs `work` in a transaction if the password is right; guesses are limited apart for each purpose. */
export async function withPassword<T>(
  context: AccountContext,
  {
    user,
    password,
    purpose,
    address,
    now,
  }: { user: User; password: string; purpose: Purpose; address: string; now: number },
  work: () => Promise<T>,
): Promise<T | { kind: "wrong" } | PasswordsBusy | Refused> {
  const { username } = user;
  const budget = confirmationBudget(context, { user, purpose, address });
  const guess = await guessPassword(context, { budget, username, password, now });
  if (guess.kind !== "right") return guess;
  return context.database.transaction(async () =>
    (await isUnchanged(context, guess.user)) ? work() : { kind: "wrong" },
  );
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
  context: AccountContext,
  {
    budget: { client, checks, resets, isKnown },
    username,
    password,
    now,
  }: { budget: GuessBudget; username: string; password: string; now: number },
): Promise<{ kind: "right"; user: UserRow } | { kind: "wrong" } | PasswordsBusy | Refused> {
  const { database, guard } = context;
  // Before the limits: a guess that is not looked at does not count.
  if (passwordHasher().isBusy(isKnown)) return { kind: "passwords-busy" };
  const decided = await guard.guarded({
    client,
    now,
    plan: async () => ({
      checks,
      execute: async (verdict) => verdict.refused ?? { kind: "allowed" as const, verdict },
    }),
  });
  if (decided.kind !== "allowed") return decided;
  await delayGuess(context, decided.verdict);
  const user = await database.users.byUsernameKey(comparisonKey(username));
  const checked = await passwordHasher().check(user?.passwordHash, password, isKnown);
  if (checked.kind === "passwords-busy") return checked;
  if (checked.kind === "wrong" || !user) return { kind: "wrong" };
  await guard.forget(resets);
  return { kind: "right", user };
}
