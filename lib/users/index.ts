/** Accounts: registration, log-in, password change, end of sessions, deletion. */
import type { Refused } from "../limits/types.ts";
import { queueMail } from "../mail/outbox.ts";
import { currentLocale } from "../request/current-request.ts";
import { hasSecondFactor } from "../second-factor/codes.ts";
import { type Session, startSession } from "../sessions/index.ts";
import { type Invalid, validate } from "../validation.ts";
import { type PasswordsBusy, passwordHasher } from "./password.ts";
import { confirmPassword, type SessionEnded, whileUnchanged, withPassword } from "./password-guess.ts";
import { leave } from "./roles.ts";
import { accountDeletionSchema, comparisonKey, passwordChangeSchema } from "./schema.ts";
import type { AccountContext, User } from "./types.ts";
import { weaknessOf } from "./weak-passwords.ts";

export { continueLogIn, type LogInOutcome, logIn } from "./log-in.ts";
export type { NotOpen } from "./new-account.ts";
export { type SessionEnded, withPassword } from "./password-guess.ts";
export { type RegistrationContext, register, registrationChallenge, takesInvitations } from "./register.ts";
export type { AccountContext, User };

/**
 * Changes the password, ends every session and starts a new one.
 * The new one has passed the same second factor, unless it was removed.
 */
export async function changePassword(
  context: AccountContext,
  {
    session,
    input,
    address,
    now,
    device,
  }: { session: Session; input: unknown; address: string; now: number; device?: string },
): Promise<
  | { kind: "changed"; sessionToken: string }
  | { kind: "wrong" }
  | SessionEnded
  | PasswordsBusy
  | Refused
  | Invalid
> {
  const checked = validate(passwordChangeSchema, input);
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  const { currentPassword, newPassword } = checked.value;
  const { user, secondFactorAt } = session;
  const email = (await context.database.users.byId(user.id))?.email;
  const weakness = await weaknessOf(newPassword, { username: user.username, email });
  if (weakness) return { kind: "invalid", errors: { newPassword: weakness } };
  const request = { session, password: currentPassword, purpose: "change-password", address, now } as const;
  const guess = await confirmPassword(context, request);
  if (guess.kind !== "right") return guess;
  const hashed = await passwordHasher().hash(newPassword, user.id);
  if (hashed.kind !== "hashed") return hashed;
  return whileUnchanged(context, guess.user, session, async () => {
    // It may have been removed since the session was read.
    const isOn = await hasSecondFactor(context.database, user.id);
    await context.database.users.setPasswordAndEndSessions(user.id, hashed.hash);
    if (context.mail) {
      const data = { username: user.username, by: "owner" } as const;
      const request = {
        kind: "password-changed",
        to: guess.user,
        data,
        locale: currentLocale(),
        now,
      } as const;
      await queueMail(context.database, request);
    }
    const sessionToken = await startSession(context.database, {
      userId: user.id,
      device,
      secondFactorAt: isOn ? secondFactorAt : null,
      now,
    });
    return { kind: "changed", sessionToken };
  });
}

/** Ends every session of the user, this one included. */
export function logOutEverywhere({ database }: Pick<AccountContext, "database">, user: User): Promise<void> {
  return database.transaction(async () => {
    // A request that is being executed may start another session: it ends first.
    await database.users.lock(user.id);
    await database.users.endSessions(user.id);
  });
}

/**
 * Deletes the account, when the password is right.
 * All readers see this at once; its posts and ratings are removed in the background. When no other administrator can
 * log in, the oldest account that is not disabled takes over.
 */
export async function deleteAccount(
  context: AccountContext,
  { session, input, address, now }: { session: Session; input: unknown; address: string; now: number },
): Promise<{ kind: "deleted" } | { kind: "wrong" } | SessionEnded | PasswordsBusy | Refused | Invalid> {
  const checked = validate(accountDeletionSchema, input);
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  const password = checked.value.currentPassword;
  return withPassword(context, { session, password, purpose: "delete-account", address, now }, async () => {
    const { database } = context;
    const leaving = await database.users.lock(session.user.id);
    if (leaving) await leave(database, leaving, now);
    return { kind: "deleted" };
  });
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
