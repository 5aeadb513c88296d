/**
 * Accounts: registration, log-in, password change, end of sessions, deletion.
 *
 * Password guesses are limited before anything is hashed. An unknown name and a wrong password give the same result in
 * the same time.
 */
import type { UserRow } from "../../db/index.ts";
import type { Refused } from "../limits/types.ts";
import { consumeCode, hasSecondFactor } from "../second-factor/codes.ts";
import { consumePasskey, verifyPasskey } from "../second-factor/passkey-log-in.ts";
import { newTicket, userOfTicket } from "../second-factor/ticket.ts";
import type { PasskeySite } from "../second-factor/webauthn.ts";
import { type Session, startSession } from "../sessions/index.ts";
import { validate } from "../validation.ts";
import {
  confirmationBudget,
  countGuess,
  type GuessBudget,
  logInBudget,
  type Purpose,
  secondStepChecks,
} from "./guess-budgets.ts";
import { type PasswordsBusy, passwordHasher } from "./password.ts";
import { leave } from "./roles.ts";
import { accountDeletionSchema, comparisonKey, logInSchema, passwordChangeSchema } from "./schema.ts";
import type { AccountContext, Invalid, User } from "./types.ts";
import { toUser } from "./user-of-row.ts";
import { weaknessOf } from "./weak-passwords.ts";

export { type NotOpen, type RegistrationContext, register, registrationChallenge } from "./register.ts";

export type { AccountContext, Invalid, User };

/** A log-in's outcome once the password was right. */
export type LogInOutcome =
  | { kind: "logged-in"; user: User; sessionToken: string }
  /**
   * The account has a second factor, and none was sent.
   * The ticket continues the log-in.
   */
  | { kind: "code-needed"; ticket: string }
  /** The code is wrong, or the passkey. */
  | { kind: "wrong-code" }
  | { kind: "wrong" }
  | { kind: "disabled" };

interface LogInRequest {
  address: string;
  now: number;
  device?: string;
  /** The client's cookie of `known-browsers.ts`. */
  browser?: string | undefined;
}

/** The input of the second step of a log-in. */
interface SecondStep {
  code?: string | undefined;
  /** The authentication response, as JSON, and the site where passkeys work. */
  passkey?: { response: string; site: PasskeySite | undefined } | undefined;
}

/**
 * Checks a username, a password and a needed code; starts a session.
 * `address` is the client's.
 */
export async function logIn(
  context: AccountContext,
  { input, ...request }: LogInRequest & { input: unknown },
): Promise<LogInOutcome | PasswordsBusy | Refused | Invalid> {
  const checked = validate(logInSchema, input);
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  const { username, password, code } = checked.value;
  const { address, browser, now } = request;
  const budget = await logInBudget(context, { username, address, browser });
  const guess = await guessPassword(context, { budget, username, password, now });
  if (guess.kind !== "right") return guess;
  return completeLogIn(context, guess.user, { ...request, code });
}

/** Continues a log-in whose password was right, with a code or a passkey. */
export async function continueLogIn(
  context: AccountContext,
  { ticket, ...request }: LogInRequest & SecondStep & { ticket: string },
): Promise<LogInOutcome | { kind: "expired" } | Refused> {
  const key = context.secondFactorKey();
  const user = await userOfTicket(context.database, ticket, { key, now: request.now });
  if (!user) return { kind: "expired" };
  return completeLogIn(context, user, { ticket, ...request });
}

/**
 * Starts a session for a user whose password was right.
 * A user with a second factor gets a ticket instead, until it has passed.
 */
async function completeLogIn(
  context: AccountContext,
  user: UserRow,
  {
    code,
    passkey,
    ticket = "",
    address,
    browser,
    device,
    now,
  }: LogInRequest & SecondStep & { ticket?: string },
): Promise<LogInOutcome | Refused> {
  const { database, guard } = context;
  const needsCode = await hasSecondFactor(database, user.id);
  if (needsCode && code === undefined && !passkey && user.disabledAt === null)
    return { kind: "code-needed", ticket: newTicket(user, context.secondFactorKey(), now) };
  const step = { user, code, isPasskey: passkey !== undefined, address, browser };
  const checks = needsCode ? secondStepChecks(context, step) : [];
  const counted = await countGuess(context, { client: { address }, checks }, now);
  if (counted.kind !== "counted") return counted;
  const verified = passkey && (await verifyPasskey(context, user, { ...passkey, ticket, now }));
  const isPassed = async () =>
    verified
      ? consumePasskey(database, verified, now)
      : code !== undefined && consumeCode(context, { userId: user.id, code, now });
  const outcome = await database.transaction<LogInOutcome>(async () => {
    const current = await database.users.lock(user.id);
    if (current?.passwordHash !== user.passwordHash) return { kind: "wrong" };
    if (current.disabledAt !== null) return { kind: "disabled" };
    // Again, since it may have been turned on or off meanwhile.
    const isNeeded = await hasSecondFactor(database, user.id);
    if (isNeeded && !(await isPassed())) return { kind: "wrong-code" };
    const secondFactorAt = isNeeded ? now : null;
    const sessionToken = await startSession(database, { userId: user.id, device, secondFactorAt, now });
    return { kind: "logged-in", user: toUser(current), sessionToken };
  });
  if (outcome.kind === "logged-in" && needsCode) await guard.forget(checks);
  return outcome;
}

/** The session that a request came from has ended meanwhile. */
export type SessionEnded = { kind: "session-ended" };

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
    // A request that is being carried out may start another session: it ends first.
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

/**
 * Runs `work` in a transaction if the password is right and the session lasts.
 * Guesses are limited apart for each purpose.
 */
export async function withPassword<T>(
  context: AccountContext,
  request: Confirmation,
  work: () => Promise<T>,
): Promise<T | { kind: "wrong" } | SessionEnded | PasswordsBusy | Refused> {
  const guess = await confirmPassword(context, request);
  return guess.kind === "right" ? whileUnchanged(context, guess.user, request.session, work) : guess;
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

/** A password that a logged-in user enters again, and its purpose. */
interface Confirmation {
  session: Session;
  password: string;
  purpose: Purpose;
  address: string;
  now: number;
}

function confirmPassword(
  context: AccountContext,
  { session: { user }, password, purpose, address, now }: Confirmation,
): ReturnType<typeof guessPassword> {
  const budget = confirmationBudget(context, { user, purpose, address });
  return guessPassword(context, { budget, username: user.username, password, now });
}

/**
 * Runs `work` in a transaction that locks user and session.
 * It does not run when the checked password has changed, or the session has ended.
 */
function whileUnchanged<T>(
  { database }: AccountContext,
  { id, passwordHash }: UserRow,
  session: Session,
  work: () => Promise<T>,
): Promise<T | { kind: "wrong" } | SessionEnded> {
  return database.transaction(async () => {
    const current = await database.users.lock(id);
    if (current?.passwordHash !== passwordHash) return { kind: "wrong" };
    if (!(await database.sessions.lock(session.id, id))) return { kind: "session-ended" };
    return work();
  });
}

async function guessPassword(
  context: AccountContext,
  {
    budget,
    username,
    password,
    now,
  }: { budget: GuessBudget; username: string; password: string; now: number },
): Promise<{ kind: "right"; user: UserRow } | { kind: "wrong" } | PasswordsBusy | Refused> {
  const { database, guard } = context;
  const { resets, knownUser } = budget;
  // A guess that is not looked at does not count: neither now, nor when the queue fills up meanwhile.
  if (passwordHasher().isBusy(knownUser)) return { kind: "passwords-busy" };
  const counted = await countGuess(context, budget, now);
  if (counted.kind !== "counted") return counted;
  const user = await database.users.byUsernameKey(comparisonKey(username));
  const checked = await passwordHasher().check(user?.passwordHash, password, knownUser);
  if (checked.kind === "passwords-busy") {
    await guard.refund(counted.decision, now);
    return checked;
  }
  if (checked.kind === "wrong" || !user) return { kind: "wrong" };
  await guard.forget(resets);
  return { kind: "right", user };
}
