import { and, count, eq, isNull, lt } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";

export function secondFactorQueries({
  statements,
  tables: { passkeys, recoveryCodes, sessions, totpSecrets },
}: Dialect) {
  async function turnOff(userId: number): Promise<void> {
    await statements.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
    await statements.update(sessions).set({ secondFactorAt: null }).where(eq(sessions.userId, userId));
  }
  return {
    /** A user's TOTP secret; undefined when there is none. */
    totp: async (userId: number) =>
      (await statements.select().from(totpSecrets).where(eq(totpSecrets.userId, userId)))[0],
    /**
     * Saves an unconfirmed secret in place of another;
     * false when one is confirmed already.
     */
    async startSetup(userId: number, encryptedSecret: string, now: number) {
      const pending = { encryptedSecret, createdAt: now, lastStep: 0 };
      const saved = await statements
        .insert(totpSecrets)
        .values({ userId, ...pending })
        .onConflictDoUpdate({
          target: totpSecrets.userId,
          set: pending,
          setWhere: isNull(totpSecrets.confirmedAt),
        })
        .returning({ userId: totpSecrets.userId });
      return saved.length > 0;
    },
    /** Confirms the secret; false when another request has. */
    async confirm(userId: number, now: number) {
      const confirmed = await statements
        .update(totpSecrets)
        .set({ confirmedAt: now })
        .where(and(eq(totpSecrets.userId, userId), isNull(totpSecrets.confirmedAt)))
        .returning({ userId: totpSecrets.userId });
      return confirmed.length > 0;
    },
    /** Uses up the codes up to a time step; false when one from it on was used before. */
    async consumeStep(userId: number, step: number) {
      const used = await statements
        .update(totpSecrets)
        .set({ lastStep: step })
        .where(and(eq(totpSecrets.userId, userId), lt(totpSecrets.lastStep, step)))
        .returning({ userId: totpSecrets.userId });
      return used.length > 0;
    },
    /** Replaces all recovery codes. */
    async setRecoveryCodes(userId: number, codeHashes: readonly string[]) {
      await statements.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
      await statements.insert(recoveryCodes).values(codeHashes.map((codeHash) => ({ userId, codeHash })));
    },
    /** Uses a recovery code up; false when there is no such code. */
    async consumeRecoveryCode(userId: number, codeHash: string) {
      const used = statements
        .delete(recoveryCodes)
        .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, codeHash)));
      return (await used.returning({ userId: recoveryCodes.userId })).length > 0;
    },
    async countRecoveryCodes(userId: number) {
      const [row] = await statements
        .select({ count: count() })
        .from(recoveryCodes)
        .where(eq(recoveryCodes.userId, userId));
      return row?.count ?? 0;
    },
    /**
     * Removes the recovery codes of a user whose last second factor is gone.
     * The user's sessions have passed none any more. Call it in a transaction that has locked the user.
     */
    turnOff,
    /**
     * Turns a user's second factor off, and removes the secret and the passkeys.
     * Resolves to false when there was no confirmed secret.
     */
    async remove(userId: number) {
      await statements.delete(passkeys).where(eq(passkeys.userId, userId));
      await turnOff(userId);
      const removed = statements.delete(totpSecrets).where(eq(totpSecrets.userId, userId));
      return (await removed.returning({ confirmedAt: totpSecrets.confirmedAt })).some(
        ({ confirmedAt }) => confirmedAt !== null,
      );
    },
  };
}
