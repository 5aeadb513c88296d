import { and, eq, gt, gte, inArray, isNull, lte, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import type { Tables } from "../schema/index.ts";
import type { MailLinkKind } from "../types.ts";

type NewLink = Tables["mailLinks"]["$inferInsert"];

export function mailLinkQueries({ statements, tables: { mailLinks, users } }: Dialect) {
  const isOpen = (tokenHash: string, kind: MailLinkKind, now: number) =>
    and(eq(mailLinks.tokenHash, tokenHash), eq(mailLinks.kind, kind), gt(mailLinks.expiresAt, now));

  return {
    async insert(link: NewLink) {
      await statements.insert(mailLinks).values(link);
    },
    /**
     * The account of an unused link that has not expired.
     * Undefined when there is none, or the account is disabled or has another address by now.
     */
    async userOf(tokenHash: string, kind: MailLinkKind, now: number) {
      const [row] = await statements
        .select({ user: users })
        .from(mailLinks)
        .innerJoin(users, eq(users.id, mailLinks.userId))
        .where(
          and(
            isOpen(tokenHash, kind, now),
            eq(users.emailKey, mailLinks.addressKey),
            isNull(users.deletedAt),
            isNull(users.disabledAt),
          ),
        );
      return row?.user;
    },
    /**
     * The account and the former address of an unused link that restores it.
     * With the time at which it was replaced. Undefined when there is none, or the account is disabled.
     */
    async formerAddress(tokenHash: string, now: number) {
      const [row] = await statements
        .select({
          user: users,
          email: mailLinks.address,
          emailKey: mailLinks.addressKey,
          replacedAt: mailLinks.createdAt,
        })
        .from(mailLinks)
        .innerJoin(users, eq(users.id, mailLinks.userId))
        .where(
          and(isOpen(tokenHash, "restore-email", now), isNull(users.deletedAt), isNull(users.disabledAt)),
        );
      return row && { ...row, email: row.email ?? row.emailKey };
    },
    /** The former addresses that links can restore to an account, the oldest first. */
    formerAddressesOf: (userId: number) =>
      statements
        .select({ address: mailLinks.address, createdAt: mailLinks.createdAt })
        .from(mailLinks)
        .where(and(eq(mailLinks.userId, userId), eq(mailLinks.kind, "restore-email")))
        .orderBy(mailLinks.createdAt),
    /** Whether a link can still restore this address to an account. */
    async isKept(addressKey: string, now: number) {
      const found = statements
        .select({ userId: mailLinks.userId })
        .from(mailLinks)
        // As the index has it.
        .where(
          and(eq(mailLinks.addressKey, addressKey), sql`address is not null`, gt(mailLinks.expiresAt, now)),
        )
        .limit(1);
      return (await found).length > 0;
    },
    /** Withdraws links that restore addresses replaced from a moment on. */
    async withdrawFormerAddresses(userId: number, replacedFrom: number) {
      await statements
        .delete(mailLinks)
        .where(
          and(
            eq(mailLinks.userId, userId),
            eq(mailLinks.kind, "restore-email"),
            gte(mailLinks.createdAt, replacedFrom),
          ),
        );
    },
    /** Uses a link up; false when it was used, has expired or was withdrawn. */
    async use(tokenHash: string, kind: MailLinkKind, now: number) {
      const used = statements.delete(mailLinks).where(isOpen(tokenHash, kind, now));
      return (await used.returning({ userId: mailLinks.userId })).length > 0;
    },
    /** Whether a link exists and has not expired. */
    async isOpen(tokenHash: string, kind: MailLinkKind, now: number) {
      const found = statements
        .select({ userId: mailLinks.userId })
        .from(mailLinks)
        .where(isOpen(tokenHash, kind, now));
      return (await found).length > 0;
    },
    /**
     * Removes at most `limit` links that have expired.
     * Resolves to their number.
     */
    async removeExpired(now: number, limit: number) {
      const some = statements
        .select({ tokenHash: mailLinks.tokenHash })
        .from(mailLinks)
        .where(lte(mailLinks.expiresAt, now))
        .limit(limit);
      const removed = statements.delete(mailLinks).where(inArray(mailLinks.tokenHash, some));
      return (await removed.returning({ userId: mailLinks.userId })).length;
    },
  };
}
