import { and, count, desc, eq, gt, isNull, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import type { Tables } from "../schema/index.ts";

const { placeholder } = sql;

type NewInvitation = Omit<Tables["invitations"]["$inferInsert"], "id" | "usedAt" | "usedBy">;

export function invitationQueries({ statements, tables: { invitations, users } }: Dialect) {
  // Through an invitation that its maker made before they were demoted or disabled, their accounts would still come in.
  const isByAdministrator = sql`exists (select 1 from users u where u.id = ${invitations.createdBy} and u.is_administrator and u.disabled_at is null and u.deleted_at is null)`;
  const openByHash = statements
    .select({ makesWriter: invitations.makesWriter })
    .from(invitations)
    .where(
      and(
        eq(invitations.tokenHash, placeholder("tokenHash")),
        isNull(invitations.usedAt),
        gt(invitations.expiresAt, placeholder("now")),
        isByAdministrator,
      ),
    )
    .prepare("open invitation by hash");

  return {
    /** Resolves to its id. */
    async insert(invitation: NewInvitation) {
      const [row] = await statements.insert(invitations).values(invitation).returning({ id: invitations.id });
      if (!row) throw new Error("A row that was inserted is returned");
      return row.id;
    },
    /** An unused invitation by an administrator that expires later than `now`. */
    open: async (tokenHash: string, now: number) => (await openByHash.execute({ tokenHash, now }))[0],
    /**
     * Marks an open invitation as used.
     * Resolves to its id, note and `makesWriter`; undefined when it is not open. Of two calls at once, one succeeds.
     */
    async use(tokenHash: string, now: number) {
      const isOpen = and(
        eq(invitations.tokenHash, tokenHash),
        isNull(invitations.usedAt),
        gt(invitations.expiresAt, now),
        isByAdministrator,
      );
      const used = statements.update(invitations).set({ usedAt: now }).where(isOpen);
      return (
        await used.returning({
          id: invitations.id,
          note: invitations.note,
          makesWriter: invitations.makesWriter,
        })
      )[0];
    },
    /** Notes the account that a used invitation has made. */
    async setUser(id: number, userId: number) {
      await statements.update(invitations).set({ usedBy: userId }).where(eq(invitations.id, id));
    },
    /** A part of the invitations, newest first. */
    async latest(limit: number, offset = 0) {
      const rows = await statements
        .select({
          id: invitations.id,
          note: invitations.note,
          createdBy: sql<
            string | null
          >`(select u.username from users u where u.id = ${invitations.createdBy} and u.deleted_at is null)`,
          isByAdministrator: sql<boolean>`${isByAdministrator}`.mapWith(Boolean),
          createdAt: invitations.createdAt,
          makesWriter: invitations.makesWriter,
          expiresAt: invitations.expiresAt,
          usedAt: invitations.usedAt,
          usedBy: users.username,
        })
        .from(invitations)
        .leftJoin(users, eq(users.id, invitations.usedBy))
        .orderBy(desc(invitations.id))
        .limit(limit)
        .offset(offset);
      return rows;
    },
    async count() {
      const [row] = await statements.select({ count: count() }).from(invitations);
      return row?.count ?? 0;
    },
    /**
     * Removes an unused invitation.
     * Resolves to its note, undefined when there is none.
     */
    async removeUnused(id: number) {
      const isUnused = and(eq(invitations.id, id), isNull(invitations.usedAt));
      const removed = statements.delete(invitations).where(isUnused).returning({ note: invitations.note });
      return (await removed)[0]?.note;
    },
  };
}
