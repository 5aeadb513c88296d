import { and, desc, eq, gt, isNull, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import type { Tables } from "../schema.ts";

const { placeholder } = sql;

type NewInvitation = Omit<Tables["invitations"]["$inferSelect"], "id" | "usedAt" | "usedBy">;

export function invitationQueries({ statements, tables: { invitations, users } }: Dialect) {
  const openByHash = statements
    .select({ id: invitations.id })
    .from(invitations)
    .where(
      and(
        eq(invitations.tokenHash, placeholder("tokenHash")),
        isNull(invitations.usedAt),
        gt(invitations.expiresAt, placeholder("now")),
      ),
    )
    .prepare("open invitation by hash");

  return {
    async insert(invitation: NewInvitation) {
      await statements.insert(invitations).values(invitation);
    },
    /** Whether there is an unused invitation that expires later than `now`. */
    isOpen: async (tokenHash: string, now: number) =>
      (await openByHash.execute({ tokenHash, now })).length > 0,
    /**
     * Uses an open invitation up.
     * Resolves to its number, undefined when it is not open. Of two at once, one gets it.
     */
    async use(tokenHash: string, now: number) {
      const isOpen = and(
        eq(invitations.tokenHash, tokenHash),
        isNull(invitations.usedAt),
        gt(invitations.expiresAt, now),
      );
      const used = statements.update(invitations).set({ usedAt: now }).where(isOpen);
      return (await used.returning({ id: invitations.id }))[0]?.id;
    },
    /** Notes the account that a used invitation has made. */
    async setUser(id: number, userId: number) {
      await statements.update(invitations).set({ usedBy: userId }).where(eq(invitations.id, id));
    },
    /** The newest invitations, newest first. */
    latest: (limit: number) =>
      statements
        .select({
          id: invitations.id,
          note: invitations.note,
          createdAt: invitations.createdAt,
          expiresAt: invitations.expiresAt,
          usedAt: invitations.usedAt,
          usedBy: users.username,
        })
        .from(invitations)
        .leftJoin(users, eq(users.id, invitations.usedBy))
        .orderBy(desc(invitations.id))
        .limit(limit),
    /** Removes an invitation that has not been used. */
    async removeUnused(id: number) {
      await statements.delete(invitations).where(and(eq(invitations.id, id), isNull(invitations.usedAt)));
    },
  };
}
