/** Accounts with passwords, for tests that register and log in. */

import type { Database } from "../db/index.ts";
import { solveChallenge } from "../lib/challenge/solve.ts";
import type { GuardSettings } from "../lib/limits/guard.ts";
import type { Limits } from "../lib/limits/index.ts";
import { type Session, type SessionContext, sessionOf, startSession } from "../lib/sessions/index.ts";
import {
  logIn,
  type RegistrationContext,
  register,
  registrationChallenge,
  type User,
} from "../lib/users/index.ts";
import { contextOf, limitsWith, morning } from "./content.ts";
import { temporaryDatabase } from "./database.ts";

export const password = "quiet water 8";
export const address = "192.0.2.1";

/** The user of a session; null when it has ended. */
export async function userOf(
  context: SessionContext,
  sessionToken: string,
  now = morning,
): Promise<User | null> {
  return (await sessionOf(context, sessionToken, now))?.user ?? null;
}

/** A new session of a user. */
export async function sessionFor(
  context: SessionContext,
  { id }: Pick<User, "id">,
  now = morning,
): Promise<Session> {
  const { database } = context;
  const token = await database.transaction(() => startSession(database, { userId: id, now }));
  const session = await sessionOf(context, token, now);
  if (!session) throw new Error("The session that was started is there");
  return session;
}

/** A challenge for a registration, and its solution. */
/** Saves an API token that may do everything. */
export async function addApiToken({ apiTokens }: Pick<Database, "apiTokens">, userId: number): Promise<void> {
  const token = { name: "script", tokenHash: "a".repeat(64), scopes: "read write" };
  await apiTokens.insert({ ...token, userId, createdAt: morning, expiresAt: null });
}

export async function solvedFor(context: Pick<RegistrationContext, "registration">, now: number) {
  const challenge = await registrationChallenge(context, now);
  return challenge ? { challenge, solution: await solveChallenge(challenge) } : {};
}

/** A new database, and functions to register and log in with one shared password. */
export function accounts(limits: Limits = limitsWith(), guard: Pick<GuardSettings, "store"> = {}) {
  const context = contextOf(temporaryDatabase(), limits, guard);
  const signUp = async (
    username: string,
    { email = `${username}@example.org`, from = address, now = morning } = {},
  ) => {
    const input = { username, email, password, ...(await solvedFor(context, now)) };
    return register(context, { input, address: from, now });
  };
  /** Registers, and fails the test when that is refused. */
  const join = async (username: string) => {
    const outcome = await signUp(username);
    if (outcome.kind !== "registered") throw new Error(`Not registered: ${JSON.stringify(outcome)}`);
    return outcome;
  };
  const tryPassword = (
    username: string,
    guess: string,
    { from = address, now = morning, browser }: { from?: string; now?: number; browser?: string } = {},
  ) => logIn(context, { input: { username, password: guess }, address: from, now, browser });
  return { context, signUp, join, tryPassword };
}
