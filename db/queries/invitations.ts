import { and, desc, eq, gt, isNull, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import type { InvitationQueries } from "../types.ts";

const { placeholder } = sql;

export function invitationQueries({
  statements,
  tables: { invitations, users },
}: Dialect): InvitationQueries {
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
    async insert(invitation) {
      await statements.insert(invitations).values(invitation);
    },
    isOpen: async (tokenHash, now) => (await openByHash.execute({ tokenHash, now })).length > 0,
    async use(tokenHash, now) {
      const isOpen = and(
        eq(invitations.tokenHash, tokenHash),
        isNull(invitations.usedAt),
        gt(invitations.expiresAt, now),
      );
      const used = statements.update(invitations).set({ usedAt: now }).where(isOpen);
      return (await used.returning({ id: invitations.id }))[0]?.id;
    },
    async setUser(id, userId) {
      await statements.update(invitations).set({ usedBy: userId }).where(eq(invitations.id, id));
    },
    latest: (limit) =>
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
    async removeUnused(id) {
      await statements.delete(invitations).where(and(eq(invitations.id, id), isNull(invitations.usedAt)));
    },
  };
}
