/**
 * Sessions: rows in the database, so that the server ends them.
 *
 * The browser's cookie holds a token of 256 random bits; the row has its SHA-256. A session ends with its row, or when it
 * expires.
 */
import { type Database, isUnavailable, type UserRow } from "../../db/index.ts";
import { newToken, tokenHash } from "../auth/token.ts";
import { hourMs, minuteMs } from "../time/units.ts";
import type { DatabaseContext, User } from "../users/types.ts";
import { toUser, withoutRoles } from "../users/user-of-row.ts";
import { unknownDevice } from "./device.ts";
import type { SessionLifetimes } from "./lifetimes.ts";

export type { SessionLifetimes };

export interface SessionContext extends DatabaseContext {
  sessionLifetimes: SessionLifetimes;
  /** Whether administrators act as such only after a second factor. */
  adminSecondFactor?: "optional" | "required";
}

/** A session that has not ended, and its user. */
export interface Session {
  id: number;
  user: User;
  /** When it passed a second factor; null when it has not. */
  secondFactorAt: number | null;
}

/** A session as its user sees it. */
export interface ListedSession {
  id: number;
  device: string;
  createdAt: number;
  /** To a few minutes. */
  lastUsedAt: number;
  /** Whether it is the session of this request. */
  isCurrent: boolean;
}

/**
 * How far ahead another node's clock may be.
 * A session whose times are later was saved on a wrong clock, and would outlive its lifetime.
 */
const clockDifferenceMs = hourMs;

/** The most sessions of a user; beyond it, the least recently used one ends. */
export const sessionsMaximum = 100;

/**
 * The last use is saved at most once per this time.
 * If a tenth of the idle time is shorter, that counts instead.
 */
const lastUsedStepMs = 5 * minuteMs;

/**
 * Starts a session, and resolves to its token.
 * Call it in the transaction that has checked the user.
 */
export async function startSession(
  { sessions }: Pick<Database, "sessions">,
  {
    userId,
    device = unknownDevice,
    secondFactorAt = null,
    now,
  }: { userId: number; device?: string | undefined; secondFactorAt?: number | null; now: number },
): Promise<string> {
  const token = newToken();
  const session = {
    secondFactorAt,
    userId,
    device,
    tokenHash: tokenHash(token),
    createdAt: now,
    lastUsedAt: now,
  };
  await sessions.insert(session, sessionsMaximum - 1);
  return token;
}

/**
 * The session of a token; also saves the time of this use.
 * Null when it has ended or expired, or its user is disabled.
 */
export async function sessionOf(
  context: SessionContext,
  token: string,
  now: number,
): Promise<Session | null> {
  const { database, sessionLifetimes } = context;
  const found = await database.sessions.byHash(tokenHash(token), boundsOf(sessionLifetimes, now));
  if (!found) return null;
  const stepMs = Math.min(lastUsedStepMs, sessionLifetimes.idleMs / 10);
  if (now - found.lastUsedAt >= stepMs) await noteUse(database, found.id, now);
  const { id, secondFactorAt } = found;
  return { id, secondFactorAt, user: userInSession(context, found.user, secondFactorAt) };
}

/**
 * The user of a session.
 * An administrator has no role in one that lacks a required second factor.
 */
export function userInSession(
  { adminSecondFactor }: Pick<SessionContext, "adminSecondFactor">,
  row: UserRow,
  secondFactorAt: number | null,
): User {
  const user = toUser(row);
  const lacksSecondFactor =
    user.isAdministrator && secondFactorAt === null && adminSecondFactor === "required";
  return lacksSecondFactor ? withoutRoles(user) : user;
}

/** The user's sessions, those used last first. */
export async function sessionsOf(
  context: SessionContext,
  { id, user }: Session,
  now: number,
): Promise<ListedSession[]> {
  const sessions = await listedSessions(context, user.id, now);
  return sessions.map((each) => ({ ...each, isCurrent: each.id === id }));
}

/** A user's sessions as an administrator sees them, those used last first. */
export async function listedSessions(
  { database, sessionLifetimes }: SessionContext,
  userId: number,
  now: number,
): Promise<Omit<ListedSession, "isCurrent">[]> {
  const rows = await database.sessions.ofUser(userId, boundsOf(sessionLifetimes, now));
  return rows.map(({ id, device, createdAt, lastUsedAt }) => ({ id, device, createdAt, lastUsedAt }));
}

/** Ends the session of a token. */
export function endSessionOf({ database }: DatabaseContext, token: string): Promise<void> {
  return database.transaction(() => database.sessions.endByHash(tokenHash(token)));
}

/** Ends one of the user's sessions; resolves to whether it was theirs. */
export function endOneSession(
  { database }: DatabaseContext,
  { user }: Session,
  id: number,
): Promise<boolean> {
  return database.transaction(() => database.sessions.end(id, user.id));
}

/** Ends the user's sessions except this one. */
export function endOtherSessions({ database }: DatabaseContext, { id, user }: Session): Promise<void> {
  return database.transaction(async () => {
    // A request that is being executed may start another session: it ends first.
    await database.users.lock(user.id);
    await database.sessions.endOthers(user.id, id);
  });
}

function boundsOf({ idleMs, maximumMs }: SessionLifetimes, now: number) {
  return { usedAfter: now - idleMs, begunAfter: now - maximumMs, latest: now + clockDifferenceMs };
}

/**
 * Saves the time of a session's last use.
 * A session works without it, so no page fails or waits when the database cannot write now.
 */
async function noteUse(database: Database, id: number, now: number): Promise<void> {
  try {
    await database.transactionNow(() => database.sessions.setLastUsedAt(id, now));
  } catch (error) {
    if (!isUnavailable(error)) throw error;
  }
}
