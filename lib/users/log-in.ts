/** Log-ins: a password, then a second factor where the account has one. */
import type { UserRow } from "../../db/index.ts";
import type { Refused } from "../limits/types.ts";
import { consumeCode, hasSecondFactor } from "../second-factor/codes.ts";
import { consumePasskey, verifyPasskey } from "../second-factor/passkey-log-in.ts";
import { newTicket, userOfTicket } from "../second-factor/ticket.ts";
import type { PasskeySite } from "../second-factor/webauthn.ts";
import { type SessionContext, startSession, userInSession } from "../sessions/index.ts";
import { type Invalid, validate } from "../validation.ts";
import { countGuess, logInBudget, secondStepChecks } from "./guess-budgets.ts";
import type { PasswordsBusy } from "./password.ts";
import { guessPassword } from "./password-guess.ts";
import { logInSchema } from "./schema.ts";
import type { AccountContext, User } from "./types.ts";

/** A log-in's outcome once the password was right. */
export type LogInOutcome =
  /** The user as in the new session. */
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

type LogInContext = AccountContext & Pick<SessionContext, "adminSecondFactor">;

interface LogInRequest {
  address: string;
  now: number;
  device?: string;
  /** The client's cookie of `known-browsers.ts`. */
  browser?: string | undefined;
}

/** The input of the second step of a log-in. */
interface SecondStepInput {
  code?: string | undefined;
  /** The authentication response, as JSON, and the site where passkeys work. */
  passkey?: { response: string; site: PasskeySite | undefined } | undefined;
}

/**
 * Checks a username, a password and a needed code; starts a session.
 * `address` is the client's.
 */
export async function logIn(
  context: LogInContext,
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
  context: LogInContext,
  { ticket, ...request }: LogInRequest & SecondStepInput & { ticket: string },
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
  context: LogInContext,
  user: UserRow,
  {
    code,
    passkey,
    ticket = "",
    address,
    browser,
    device,
    now,
  }: LogInRequest & SecondStepInput & { ticket?: string },
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
    return { kind: "logged-in", user: userInSession(context, current, secondFactorAt), sessionToken };
  });
  if (outcome.kind === "logged-in" && needsCode) await guard.forget(checks);
  return outcome;
}
