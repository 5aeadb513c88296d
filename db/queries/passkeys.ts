import { and, eq, lt } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import type { Tables } from "../schema/index.ts";

type NewPasskey = Omit<Tables["passkeys"]["$inferSelect"], "id" | "lastUsedAt">;

export function passkeyQueries({ statements, tables: { passkeys } }: Dialect) {
  return {
    /** A user's passkeys, the oldest first. */
    ofUser: (userId: number) =>
      statements.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(passkeys.id),
    /** Saves a passkey; false when its credential is saved already, of any user. */
    async insert(passkey: NewPasskey) {
      const inserted = statements
        .insert(passkeys)
        .values(passkey)
        .onConflictDoNothing({ target: passkeys.credentialId });
      return (await inserted.returning({ id: passkeys.id })).length > 0;
    },
    /**
     * Saves a use with the authenticator's signature counter.
     * False when the passkey is gone, or the counter has not grown. One that stays 0 does not count.
     */
    async use(id: number, { counter, now }: { counter: number; now: number }) {
      const used = await statements
        .update(passkeys)
        .set({ counter, lastUsedAt: now })
        .where(
          and(eq(passkeys.id, id), counter === 0 ? eq(passkeys.counter, 0) : lt(passkeys.counter, counter)),
        )
        .returning({ id: passkeys.id });
      return used.length > 0;
    },
    /** Removes a passkey; false when this user has no such one. */
    async remove(id: number, userId: number) {
      const removed = statements
        .delete(passkeys)
        .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)));
      return (await removed.returning({ id: passkeys.id })).length > 0;
    },
  };
}
