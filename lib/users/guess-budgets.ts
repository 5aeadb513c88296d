/**
 * The limits that a guess at a password counts under.
 *
 * A log-in counts by address, and by account and network together. All strangers' guesses at one account also count
 * together, and beyond that limit a guess only waits: an attacker cannot lock anyone else out. A browser that was
 * logged in before has a limit of its own. So has a logged-in user for each purpose that needs the password again.
 *
 * Codes of a second factor count the same way: by account and network, and for the account alone they only wait.
 */
import { setTimeout as sleepFor } from "node:timers/promises";
import type { UserRow } from "../../db/index.ts";
import { widestNetworkOf } from "../http/client-address.ts";
import type { Client } from "../limits/access-rules.ts";
import { checkLimits } from "../limits/check-limits.ts";
import type { LimiterDecision, Refused, SubjectCheck } from "../limits/types.ts";
import { isRecoveryCode } from "../second-factor/recovery-codes.ts";
import { knownBrowser } from "./known-browsers.ts";
import { comparisonKey } from "./schema.ts";
import type { AccountContext, User } from "./types.ts";

/** The checks of one guess. */
export interface GuessBudget {
  client: Client;
  checks: readonly SubjectCheck[];
  /**
   * The checks that the right password resets.
   * The address is not among them: it may be guessing at other accounts.
   */
  resets: readonly SubjectCheck[];
  /** The user of a known browser or a session: room is kept for them. */
  knownUser?: number;
}

/** The purposes that need the password again within a session. */
export type Purpose =
  | "change-password"
  | "change-email"
  | "change-administrator"
  | "change-mail-server"
  | "delete-account"
  | "export-account"
  | "make-token"
  | "second-factor";

/** The longest delay of a log-in by others' guesses at its account. */
export const delayMaximumMs = 5_000;

/** The budget of a log-in; `browser` is the cookie of `known-browsers.ts`. */
export async function logInBudget(
  { database, limits, browserSecret }: AccountContext,
  { username, address, browser }: { username: string; address: string; browser: string | undefined },
): Promise<GuessBudget> {
  const usernameKey = comparisonKey(username);
  const user = browser === undefined ? undefined : await database.users.byUsernameKey(usernameKey);
  const known = user && knownBrowser(browser, user, browserSecret());
  if (user && known !== undefined) {
    const own: readonly SubjectCheck[] = [[limits["login.known-browser"], `${user.id} ${known}`]];
    return { client: { address }, checks: own, resets: own, knownUser: user.id };
  }
  const resets: readonly SubjectCheck[] = [
    [limits["login.account"], `${widestNetworkOf(address)} ${usernameKey}`],
    [limits["login.delay"], usernameKey],
  ];
  return {
    client: { address },
    checks: [[limits["login.address"], address], ...resets],
    resets,
  };
}

/**
 * The checks of a code or a passkey.
 * A recovery code or a passkey cannot be guessed, so it counts by address only.
 */
export function secondStepChecks(
  { limits, browserSecret }: AccountContext,
  {
    user,
    code,
    isPasskey,
    address,
    browser,
  }: {
    user: Pick<UserRow, "id" | "passwordHash">;
    code: string | undefined;
    isPasskey: boolean;
    address: string;
    browser: string | undefined;
  },
): readonly SubjectCheck[] {
  if (isPasskey) return [[limits["login.address"], `passkey ${address}`]];
  if (code !== undefined && isRecoveryCode(code)) return [[limits["login.address"], `recovery ${address}`]];
  const known = knownBrowser(browser, user, browserSecret());
  if (known !== undefined) return [[limits["login.second-factor"], `${user.id} ${known}`]];
  return [
    [limits["login.second-factor"], `${widestNetworkOf(address)} ${user.id}`],
    // Apart from the guesses at the password, whose names have no space.
    [limits["login.delay"], `code ${user.id}`],
  ];
}

/**
 * The budget of a logged-in user for one purpose.
 * Each purpose counts apart, so that one leaves room for the others.
 */
export function confirmationBudget(
  { limits }: Pick<AccountContext, "limits">,
  { user, purpose, address }: { user: User; purpose: Purpose; address: string },
): GuessBudget {
  const own: readonly SubjectCheck[] = [[limits["password.user"], `${user.id} ${purpose}`]];
  return { client: { address }, checks: own, resets: own, knownUser: user.id };
}

/** A guess that was counted. */
interface CountedGuess {
  kind: "counted";
  /** The limiter that counted it, for a refund. */
  decision: LimiterDecision;
}

/** Counts a guess, and waits when others' guesses delay it. */
export async function countGuess(
  { guard, sleep = sleepFor }: Pick<AccountContext, "guard" | "sleep">,
  { client, checks }: Pick<GuessBudget, "client" | "checks">,
  now: number,
): Promise<CountedGuess | Refused> {
  const decided = await checkLimits(guard, { client, checks, now });
  if (decided.kind !== "allowed") return decided;
  const { heldBy, decision } = decided;
  if (heldBy) {
    const { reason, retryAfterMs } = heldBy.decision;
    await sleep(reason.neverFits ? delayMaximumMs : Math.min(retryAfterMs, delayMaximumMs));
  }
  return { kind: "counted", decision };
}
