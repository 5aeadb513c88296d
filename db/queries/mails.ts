import { and, asc, count, desc, eq, gt, inArray, isNotNull, lte, or, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import type { Tables } from "../schema/index.ts";
import type { MailKind } from "../types.ts";

const { placeholder } = sql;

export type NewMail = Omit<
  Tables["mails"]["$inferSelect"],
  "id" | "attempts" | "finishedAt" | "fault" | "isBulk"
> & { isBulk?: boolean };

/** The outbox as administrators see it. */
export interface OutboxFigures {
  waiting: number;
  /** How many of the waiting mails have failed at least once. */
  failing: number;
  /** When the oldest of the waiting ones was queued; null when none waits. */
  waitingSince: number | null;
  /** How many of the finished mails that are kept were given up. */
  givenUp: number;
  /** The latest fault of any mail. */
  fault: string | null;
}

export function mailQueries({ statements, tables: { mails }, ...dialect }: Dialect) {
  const isDue = statements
    .select({ id: mails.id })
    .from(mails)
    .where(lte(mails.dueAt, placeholder("now")))
    .limit(1)
    .prepare("due mail");
  const oldestDue = (now: number, { isBulk }: { isBulk: boolean }) =>
    dialect.locking(
      statements
        .select()
        .from(mails)
        // As the index has it.
        .where(and(lte(mails.dueAt, now), isBulk ? undefined : sql`not is_bulk`))
        .orderBy(asc(mails.dueAt), asc(mails.id))
        .limit(1),
      "update",
      { skipLocked: true },
    );

  return {
    async insert(...some: NewMail[]) {
      await statements.insert(mails).values(some);
    },
    /** How many mails of a kind were queued for an address after a moment. */
    async queuedSince(addressKey: string, kind: MailKind, since: number) {
      const [row] = await statements
        .select({ count: count() })
        .from(mails)
        .where(and(eq(mails.addressKey, addressKey), eq(mails.kind, kind), gt(mails.createdAt, since)));
      return row?.count ?? 0;
    },
    /** The last mail of a kind that was queued for a user; undefined when none is kept. */
    async lastOf(userId: number, kind: MailKind) {
      const [mail] = await statements
        .select({
          createdAt: mails.createdAt,
          finishedAt: mails.finishedAt,
          fault: mails.fault,
        })
        .from(mails)
        .where(and(eq(mails.userId, userId), eq(mails.kind, kind)))
        .orderBy(desc(mails.id))
        .limit(1);
      return mail;
    },
    /** The number of waiting mails, counted up to `atMost`. */
    async waiting(atMost: number) {
      const some = statements
        .select({ id: mails.id })
        .from(mails)
        .where(isNotNull(mails.dueAt))
        .limit(atMost)
        .as("some_mails");
      const [row] = await statements.select({ count: count() }).from(some);
      return row?.count ?? 0;
    },
    /** All mails, in the order in which they were queued. */
    all: () => statements.select().from(mails).orderBy(mails.id),
    /** Whether an email is due; locks nothing. */
    isDue: async (now: number) => (await isDue.execute({ now })).length > 0,
    /**
     * Claims the mail that is due for the longest time, one of many last.
     * Undefined when none is due.
     * Until `claimedUntil` no other process claims it, not even when this one dies. Call it in a transaction: it skips
     * mails that others have locked.
     */
    async claim(now: number, claimedUntil: number) {
      const mail =
        (await oldestDue(now, { isBulk: false }))[0] ?? (await oldestDue(now, { isBulk: true }))[0];
      if (!mail) return undefined;
      const claimed = { dueAt: claimedUntil, attempts: mail.attempts + 1 };
      await statements.update(mails).set(claimed).where(eq(mails.id, mail.id));
      return { ...mail, ...claimed };
    },
    /**
     * Notes the account that an email is for, and its address.
     * Resolves to false when the mail was withdrawn.
     */
    async setRecipient(id: number, recipient: { userId: number; address: string }) {
      const noted = statements.update(mails).set(recipient).where(eq(mails.id, id));
      return (await noted.returning({ id: mails.id })).length > 0;
    },
    /** Lets a claimed mail wait for another attempt. */
    async retry(id: number, { dueAt, fault }: { dueAt: number; fault: string }) {
      await statements.update(mails).set({ dueAt, fault }).where(eq(mails.id, id));
    },
    /** Finishes an email, sent, or with the fault for which it was given up. */
    async finish(id: number, { now, fault }: { now: number; fault: string | null }) {
      await statements
        .update(mails)
        .set({ dueAt: null, finishedAt: now, fault, data: "{}" })
        .where(eq(mails.id, id));
    },
    async remove(id: number) {
      await statements.delete(mails).where(eq(mails.id, id));
    },
    isAnyKept: async () => (await statements.select({ id: mails.id }).from(mails).limit(1)).length > 0,
    async figures(): Promise<OutboxFigures> {
      const sum = (condition: ReturnType<typeof sql>) =>
        sql<number>`coalesce(sum(case when ${condition} then 1 else 0 end), 0)`.mapWith(Number);
      const [row] = await statements
        .select({
          waiting: sum(sql`due_at is not null`),
          failing: sum(sql`due_at is not null and fault is not null`),
          waitingSince: sql<number | null>`min(case when due_at is not null then created_at end)`.mapWith(
            Number,
          ),
          givenUp: sum(sql`finished_at is not null and fault is not null`),
        })
        .from(mails);
      const [last] = await statements
        .select({ fault: mails.fault })
        .from(mails)
        .where(isNotNull(mails.fault))
        .orderBy(desc(mails.id))
        .limit(1);
      const { waiting = 0, failing = 0, waitingSince = null, givenUp = 0 } = row ?? {};
      return { waiting, failing, waitingSince, givenUp, fault: last?.fault ?? null };
    },
    /**
     * Removes at most `limit` mails that were finished or expired by a moment.
     * While mail is turned off, no sender finishes those that wait. Resolves to their number.
     */
    async removeOld(before: number, limit: number) {
      const some = statements
        .select({ id: mails.id })
        .from(mails)
        .where(or(lte(mails.finishedAt, before), and(isNotNull(mails.dueAt), lte(mails.expiresAt, before))))
        .limit(limit);
      const removed = statements.delete(mails).where(inArray(mails.id, some));
      return (await removed.returning({ id: mails.id })).length;
    },
  };
}
