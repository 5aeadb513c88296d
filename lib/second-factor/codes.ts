/** The codes that a log-in takes, one-time codes and recovery codes. */
import type { Database, TotpRow } from "../../db/index.ts";
import { decrypt } from "../auth/encryption.ts";
import { isRecoveryCode, recoveryCodeHash } from "./recovery-codes.ts";
import { totpStep } from "./totp.ts";

/** Whether a user logs in with a second factor, codes or passkeys. */
export async function hasSecondFactor(
  { secondFactors, passkeys }: Pick<Database, "secondFactors" | "passkeys">,
  userId: number,
): Promise<boolean> {
  return isOn(await secondFactors.totp(userId)) || (await passkeys.ofUser(userId)).length > 0;
}

/**
 * Uses up a one-time code or a recovery code; false when it is wrong.
 * Call it in a transaction that has locked the user.
 */
export async function consumeCode(
  { database, secondFactorKey }: { database: Database; secondFactorKey: () => Buffer },
  { userId, code, now }: { userId: number; code: string; now: number },
): Promise<boolean> {
  const { secondFactors } = database;
  if (isRecoveryCode(code)) return secondFactors.consumeRecoveryCode(userId, recoveryCodeHash(code));
  const row = await secondFactors.totp(userId);
  const secret = isOn(row) ? secretOf(row, secondFactorKey()) : undefined;
  if (!row || secret === undefined) return false;
  const step = totpStep(secret, code.replace(/\s/g, ""), { lastStep: row.lastStep, now });
  return step !== undefined && secondFactors.consumeStep(userId, step);
}

export function isOn(row: TotpRow | undefined): row is TotpRow {
  return row !== undefined && row.confirmedAt !== null;
}

export function secretOf({ encryptedSecret }: TotpRow, key: Buffer): string | undefined {
  return decrypt(encryptedSecret, key);
}
