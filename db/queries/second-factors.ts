import { and, count, eq, isNull, lt } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";

export function secondFactorQueries({
  statements,
  tables: { passkeys, recoveryCodes, totpSecrets },
}: Dialect) {
  return {
    /** A user's TOTP secret; undefined when there is none. */
    totp: async (userId: number) =>
      (await statements.select().from(totpSecrets).where(eq(totpSecrets.userId, userId)))[0],
    /**
     * Saves an unconfirmed secret in place of another;
     * false when one is confirmed already.
     */
    async begin(userId: number, encryptedSecret: string, now: number) {
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
     * Removes a user's secret, passkeys and recovery codes.
     * Resolves to false when there was no confirmed secret.
     */
    async remove(userId: number) {
      await statements.delete(passkeys).where(eq(passkeys.userId, userId));
      await statements.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
      const removed = statements.delete(totpSecrets).where(eq(totpSecrets.userId, userId));
      return (await removed.returning({ confirmedAt: totpSecrets.confirmedAt })).some(
        ({ confirmedAt }) => confirmedAt !== null,
      );
    },
  };
}
