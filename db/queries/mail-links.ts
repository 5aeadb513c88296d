import { and, eq, gt, inArray, isNull, lte } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import type { Tables } from "../schema/index.ts";
import type { MailLinkKind } from "../types.ts";

type NewLink = Tables["mailLinks"]["$inferSelect"];

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
    /** Uses a link up; false when it was used, has expired or was withdrawn. */
    async use(tokenHash: string, kind: MailLinkKind, now: number) {
      const used = statements.delete(mailLinks).where(isOpen(tokenHash, kind, now));
      return (await used.returning({ userId: mailLinks.userId })).length > 0;
    },
    /** Whether a link is there that has not expired. */
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
