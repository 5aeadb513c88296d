import { and, eq, gt } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import type { Tables } from "../schema/index.ts";
import { removeExpired } from "./expired-links.ts";

export type NewRegistration = Omit<Tables["pendingRegistrations"]["$inferSelect"], "id">;

export function pendingRegistrationQueries({
  statements,
  tables: { pendingRegistrations },
  ...dialect
}: Dialect) {
  const isOpen = (tokenHash: string, now: number) =>
    and(eq(pendingRegistrations.tokenHash, tokenHash), gt(pendingRegistrations.expiresAt, now));

  return {
    async insert(registration: NewRegistration) {
      await statements.insert(pendingRegistrations).values(registration);
    },
    /** The registration of a link that has not expired; undefined when there is none. */
    open: async (tokenHash: string, now: number) =>
      (await statements.select().from(pendingRegistrations).where(isOpen(tokenHash, now)))[0],
    /**
     * As `open`, and locks the registration.
     * Of two transactions at once, one waits for the other.
     */
    lock: async (tokenHash: string, now: number) =>
      (
        await dialect.locking(
          statements.select().from(pendingRegistrations).where(isOpen(tokenHash, now)),
          "update",
        )
      )[0],
    /** Removes a registration, and the others of its address. */
    async removeOf(emailKey: string) {
      await statements.delete(pendingRegistrations).where(eq(pendingRegistrations.emailKey, emailKey));
    },
    /**
     * Removes at most `limit` registrations that have expired.
     * Resolves to their number.
     */
    removeExpired: (now: number, limit: number) =>
      removeExpired({ statements }, pendingRegistrations, now, limit),
  };
}
