/**
 * The second factor of a log-in.
 * One-time codes of an authenticator app (TOTP), and recovery codes.
 *
 * The TOTP secret is kept encrypted, under a key derived from the secret that signs sessions, and shown only until it is
 * confirmed. Of recovery codes hashes are kept.
 */
import type { Database, PasskeyRow, TotpRow } from "../../db/index.ts";
import { encrypt } from "../auth/encryption.ts";
import type { Refused } from "../limits/types.ts";
import type { Session } from "../sessions/index.ts";
import { hourMs } from "../time/units.ts";
import { type AccountContext, type SessionEnded, withPassword } from "../users/index.ts";
import type { PasswordsBusy } from "../users/password.ts";
import { confirmationSchema, firstCodeSchema } from "../users/schema.ts";
import { type Invalid, validate } from "../validation.ts";
import { hasSecondFactor, secretOf } from "./codes.ts";
import { newRecoveryCodes, recoveryCodeHash } from "./recovery-codes.ts";
import { newTotpSecret, totpStep } from "./totp.ts";

/** How long a secret that was not confirmed is shown. */
const pendingMs = hourMs;

/** The state of a user's second factor, for the account page. */
export interface SecondFactorStatus {
  app:
    | { kind: "off" }
    /** A secret waits to be confirmed with a first code. */
    | { kind: "pending"; secret: string }
    | { kind: "on"; since: number };
  passkeys: readonly Pick<PasskeyRow, "id" | "name" | "createdAt" | "lastUsedAt">[];
  recoveryCodes: number;
}

export type SecondFactorRequest = { session: Session; input: unknown; address: string; now: number };
export type NotConfirmed = { kind: "wrong" } | SessionEnded | PasswordsBusy | Refused | Invalid;

export async function secondFactorStatus(
  { database, secondFactorKey }: Pick<AccountContext, "database" | "secondFactorKey">,
  { user }: Session,
  now: number,
): Promise<SecondFactorStatus> {
  const row = await database.secondFactors.totp(user.id);
  return {
    app: appStatus(row, secondFactorKey, now),
    passkeys: await database.passkeys.ofUser(user.id),
    recoveryCodes: await database.secondFactors.countRecoveryCodes(user.id),
  };
}

/** Makes a secret to be confirmed, when the password is right. */
export function beginSecondFactor(
  context: AccountContext,
  request: SecondFactorRequest,
): Promise<{ kind: "begun" } | { kind: "on-already" } | NotConfirmed> {
  const { session, now } = request;
  const encrypted = encrypt(newTotpSecret(), context.secondFactorKey());
  return withConfirmedPassword(context, request, async () =>
    (await context.database.secondFactors.startSetup(session.user.id, encrypted, now))
      ? { kind: "begun" }
      : { kind: "on-already" },
  );
}

/**
 * Turns the second factor on when a first code is right.
 * Returns the recovery codes, the only copy. The session has passed it then; the user's other sessions, which have not,
 * end.
 */
export async function confirmSecondFactor(
  context: AccountContext,
  request: SecondFactorRequest,
): Promise<
  { kind: "on"; codes: string[] | undefined } | { kind: "wrong-code" } | { kind: "not-begun" } | NotConfirmed
> {
  const checked = validate(firstCodeSchema, request.input);
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  const code = checked.value.code.replace(/\s/g, "");
  const { database, secondFactorKey } = context;
  const { session, now } = request;
  const { user } = session;
  return withConfirmedPassword(context, request, async () => {
    const row = await database.secondFactors.totp(user.id);
    const secret =
      row && row.confirmedAt === null && isFresh(row, now) ? secretOf(row, secondFactorKey()) : undefined;
    if (!row || secret === undefined) return { kind: "not-begun" };
    const step = totpStep(secret, code, { lastStep: row.lastStep, now });
    if (step === undefined) return { kind: "wrong-code" };
    const wasOn = await hasSecondFactor(database, user.id);
    await database.secondFactors.confirm(user.id, now);
    await database.secondFactors.consumeStep(user.id, step);
    return { kind: "on", codes: wasOn ? undefined : await turnOn(database, session, now) };
  });
}

/**
 * Replaces the recovery codes when the password is right.
 * The result is the only copy.
 */
export function renewRecoveryCodes(
  context: AccountContext,
  request: SecondFactorRequest,
): Promise<{ kind: "renewed"; codes: string[] } | { kind: "off" } | NotConfirmed> {
  const { database } = context;
  const { id } = request.session.user;
  return withConfirmedPassword(context, request, async () =>
    (await hasSecondFactor(database, id))
      ? { kind: "renewed", codes: await replaceRecoveryCodes(database, id) }
      : { kind: "off" },
  );
}

/** Turns the second factor off when the password is right. */
export function removeSecondFactor(
  context: AccountContext,
  request: SecondFactorRequest,
): Promise<{ kind: "off" } | NotConfirmed> {
  return withConfirmedPassword(context, request, async () => {
    await context.database.secondFactors.remove(request.session.user.id);
    return { kind: "off" };
  });
}

/**
 * Runs `work` in a transaction when the password is right.
 * The password counts under the limit of guesses.
 */
export async function withConfirmedPassword<T>(
  context: AccountContext,
  { session, input, address, now }: SecondFactorRequest,
  work: () => Promise<T>,
): Promise<T | NotConfirmed> {
  const checked = validate(confirmationSchema, input);
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  const { currentPassword: password } = checked.value;
  const request = { session, password, purpose: "second-factor", address, now } as const;
  return withPassword(context, request, work);
}

/**
 * Applies a first second factor to the user's sessions.
 * This session has passed it, and the user's others, which have not, end. Returns the recovery codes. Call it in a
 * transaction that has locked the user.
 */
export async function turnOn(database: Database, { id, user }: Session, now: number): Promise<string[]> {
  await database.sessions.setSecondFactorAt(id, now);
  await database.sessions.endOthers(user.id, id);
  return replaceRecoveryCodes(database, user.id);
}

function appStatus(
  row: TotpRow | undefined,
  secondFactorKey: () => Buffer,
  now: number,
): SecondFactorStatus["app"] {
  if (row && row.confirmedAt !== null) return { kind: "on", since: row.confirmedAt };
  const secret = row && isFresh(row, now) ? secretOf(row, secondFactorKey()) : undefined;
  return secret === undefined ? { kind: "off" } : { kind: "pending", secret };
}

async function replaceRecoveryCodes({ secondFactors }: Database, userId: number): Promise<string[]> {
  const codes = newRecoveryCodes();
  await secondFactors.setRecoveryCodes(userId, codes.map(recoveryCodeHash));
  return codes;
}

function isFresh({ createdAt }: TotpRow, now: number): boolean {
  return now - createdAt < pendingMs;
}
