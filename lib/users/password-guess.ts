/**
 * Guesses of a password, at a log-in and by a logged-in user.
 * They are limited before anything is hashed. An unknown name and a wrong password give the same result in the same time.
 */
import type { UserRow } from "../../db/index.ts";
import type { Refused } from "../limits/types.ts";
import type { Session } from "../sessions/index.ts";
import { confirmationBudget, countGuess, type GuessBudget, type Purpose } from "./guess-budgets.ts";
import { type PasswordsBusy, passwordHasher } from "./password.ts";
import { comparisonKey } from "./schema.ts";
import type { AccountContext } from "./types.ts";

/** The session that a request came from has ended meanwhile. */
export type SessionEnded = { kind: "session-ended" };

/**
 * Runs `work` in a transaction if the password is right and the session lasts.
 * Guesses are limited apart for each purpose.
 */
export async function withPassword<T>(
  context: AccountContext,
  request: PasswordConfirmation,
  work: () => Promise<T>,
): Promise<T | { kind: "wrong" } | SessionEnded | PasswordsBusy | Refused> {
  const guess = await confirmPassword(context, request);
  return guess.kind === "right" ? whileUnchanged(context, guess.user, request.session, work) : guess;
}

/** A password that a logged-in user enters again, and its purpose. */
interface PasswordConfirmation {
  session: Session;
  password: string;
  purpose: Purpose;
  address: string;
  now: number;
}

export function confirmPassword(
  context: AccountContext,
  { session: { user }, password, purpose, address, now }: PasswordConfirmation,
): ReturnType<typeof guessPassword> {
  const budget = confirmationBudget(context, { user, purpose, address });
  return guessPassword(context, { budget, username: user.username, password, now });
}

/**
 * Runs `work` in a transaction that locks user and session.
 * It does not run when the checked password has changed, or the session has ended.
 */
export function whileUnchanged<T>(
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

export async function guessPassword(
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
  // A guess that is not checked does not count: neither now, nor when the queue fills up meanwhile.
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
