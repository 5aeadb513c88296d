import { and, eq, gt } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import type { Tables } from "../schema/index.ts";
import { removeExpired } from "./expired-links.ts";

type EmailChange = Tables["emailChanges"]["$inferSelect"];

export function emailChangeQueries({ statements, tables: { emailChanges } }: Dialect) {
  return {
    /** Saves a change in place of the account's other one. */
    async save(change: EmailChange) {
      const { userId: _, ...set } = change;
      await statements
        .insert(emailChanges)
        .values(change)
        .onConflictDoUpdate({ target: emailChanges.userId, set });
    },
    /** The change of an account that has not expired; undefined when there is none. */
    of: async (userId: number, now: number) =>
      (
        await statements
          .select()
          .from(emailChanges)
          .where(and(eq(emailChanges.userId, userId), gt(emailChanges.expiresAt, now)))
      )[0],
    /** The change of a link that has not expired; undefined when there is none. */
    open: async (tokenHash: string, now: number) =>
      (
        await statements
          .select()
          .from(emailChanges)
          .where(and(eq(emailChanges.tokenHash, tokenHash), gt(emailChanges.expiresAt, now)))
      )[0],
    async remove(userId: number) {
      await statements.delete(emailChanges).where(eq(emailChanges.userId, userId));
    },
    /**
     * Removes at most `limit` changes that have expired.
     * Resolves to their number.
     */
    removeExpired: (now: number, limit: number) => removeExpired({ statements }, emailChanges, now, limit),
  };
}
