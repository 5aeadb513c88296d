/** Webhooks and their outbox. */
import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  like,
  lt,
  lte,
  ne,
  sql,
} from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import type { Tables } from "../schema/index.ts";
import type { WebhookEvent } from "../types.ts";

const { placeholder } = sql;

export type WebhookRow = Tables["webhooks"]["$inferSelect"];
type NewWebhook = Pick<WebhookRow, "url" | "events" | "encryptedSecret" | "createdAt">;
type NewDelivery = Pick<
  Tables["webhookDeliveries"]["$inferSelect"],
  "messageId" | "event" | "body" | "createdAt"
>;

export function webhookQueries({
  statements,
  tables: { webhooks, webhookDeliveries: deliveries, posts, users },
  ...dialect
}: Dialect) {
  const isDue = statements
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(lte(deliveries.dueAt, placeholder("now")))
    .limit(1)
    .prepare("due delivery");
  const ofEvent = statements
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(
      and(isNull(webhooks.disabledAt), like(sql`' ' || ${webhooks.events} || ' '`, placeholder("event"))),
    )
    .orderBy(webhooks.id)
    .prepare("webhooks of an event");
  const { body: _body, ...delivered } = getTableColumns(deliveries);
  const waitingOf = (webhookId: number) =>
    and(eq(deliveries.webhookId, webhookId), isNotNull(deliveries.dueAt));

  return {
    /** All webhooks, the oldest first. */
    all: () => statements.select().from(webhooks).orderBy(asc(webhooks.id)),
    async byId(id: number): Promise<WebhookRow | undefined> {
      return (await statements.select().from(webhooks).where(eq(webhooks.id, id)))[0];
    },
    /** Resolves to its id. */
    async insert(webhook: NewWebhook) {
      const [row] = await statements.insert(webhooks).values(webhook).returning({ id: webhooks.id });
      if (!row) throw new Error("A row that was inserted is returned");
      return row.id;
    },
    /** Resolves to whether there is one. */
    async update(id: number, values: Partial<Omit<WebhookRow, "id">>) {
      const changed = statements.update(webhooks).set(values).where(eq(webhooks.id, id));
      return (await changed.returning({ id: webhooks.id })).length > 0;
    },
    /** Resolves to whether there was one. */
    async remove(id: number) {
      const removed = statements.delete(webhooks).where(eq(webhooks.id, id));
      return (await removed.returning({ id: webhooks.id })).length > 0;
    },
    /** The webhooks that are on and want an event. */
    async ofEvent(event: WebhookEvent) {
      return (await ofEvent.execute({ event: `% ${event} %` })).map(({ id }) => id);
    },
    /** The public facts of a post that deliveries have. */
    async post(id: number) {
      const [row] = await statements
        .select({
          slug: posts.slug,
          title: posts.title,
          author: users.username,
          isUnlisted: posts.isUnlisted,
          publishedAt: posts.publishedAt,
        })
        .from(posts)
        .innerJoin(users, eq(users.id, posts.authorId))
        .where(eq(posts.id, id));
      return row;
    },
    /** Queues a delivery; call it in a transaction. */
    async queue(webhookId: number, delivery: NewDelivery) {
      await statements.insert(deliveries).values({ ...delivery, webhookId, dueAt: delivery.createdAt });
    },
    /** The number of waiting deliveries of a webhook. */
    async waiting(webhookId: number) {
      const [row] = await statements.select({ count: count() }).from(deliveries).where(waitingOf(webhookId));
      return row?.count ?? 0;
    },
    /** The latest deliveries of all webhooks, newest first. */
    latest: (limit: number) => statements.select().from(deliveries).orderBy(desc(deliveries.id)).limit(limit),
    /** A webhook's deliveries before a number, without bodies, newest first. */
    deliveriesOf: (webhookId: number, { before, limit }: { before?: number | undefined; limit: number }) =>
      statements
        .select(delivered)
        .from(deliveries)
        .where(
          and(
            eq(deliveries.webhookId, webhookId),
            before === undefined ? undefined : lt(deliveries.id, before),
          ),
        )
        .orderBy(desc(deliveries.id))
        .limit(limit),
    /** Whether a delivery is due; locks nothing. */
    isDue: async (now: number) => (await isDue.execute({ now })).length > 0,
    /**
     * Claims the delivery that is due for the longest time; undefined when none is.
     * Until `claimedUntil` no other process claims it. Call it in a transaction: it skips locked rows.
     */
    async claim(now: number, claimedUntil: number) {
      const [delivery] = await dialect.locking(
        statements
          .select()
          .from(deliveries)
          .where(lte(deliveries.dueAt, now))
          .orderBy(asc(deliveries.dueAt), asc(deliveries.id))
          .limit(1),
        "update",
        { skipLocked: true },
      );
      if (!delivery) return undefined;
      const claimed = { dueAt: claimedUntil, attempts: delivery.attempts + 1 };
      await statements.update(deliveries).set(claimed).where(eq(deliveries.id, delivery.id));
      return { ...delivery, ...claimed };
    },
    /** Lets a claimed delivery wait for another attempt. */
    async retry(id: number, { dueAt, fault }: { dueAt: number; fault: string }) {
      // Not one that was withdrawn in the meantime.
      const isWaiting = and(eq(deliveries.id, id), isNotNull(deliveries.dueAt));
      await statements.update(deliveries).set({ dueAt, fault }).where(isWaiting);
    },
    /** Lets the other deliveries of a webhook that are due sooner wait until `dueAt`. */
    async postpone(webhookId: number, { exceptId, dueAt }: { exceptId: number; dueAt: number }) {
      await statements
        .update(deliveries)
        .set({ dueAt })
        .where(and(waitingOf(webhookId), ne(deliveries.id, exceptId), lte(deliveries.dueAt, dueAt)));
    },
    /**
     * Makes the deliveries of a webhook that are due after `claimedUntil` due now.
     * Resolves to their number.
     */
    async makeDue(webhookId: number, { now, claimedUntil }: { now: number; claimedUntil: number }) {
      const hastened = statements
        .update(deliveries)
        .set({ dueAt: now })
        .where(and(waitingOf(webhookId), gt(deliveries.dueAt, claimedUntil)));
      return (await hastened.returning({ id: deliveries.id })).length;
    },
    /** Finishes a delivery, or with the fault for which it was given up. */
    async finish(id: number, { now, fault }: { now: number; fault: string | null }) {
      await statements
        .update(deliveries)
        .set({ dueAt: null, finishedAt: now, fault, body: "" })
        .where(eq(deliveries.id, id));
    },
    /** Finishes all waiting deliveries of a webhook. */
    async withdraw(webhookId: number, { now, fault }: { now: number; fault: string }) {
      await statements
        .update(deliveries)
        .set({ dueAt: null, finishedAt: now, fault, body: "" })
        .where(waitingOf(webhookId));
    },
    /** Removes at most `limit` deliveries finished by a moment; gives their number. */
    async removeOld(before: number, limit: number) {
      const some = statements
        .select({ id: deliveries.id })
        .from(deliveries)
        .where(lte(deliveries.finishedAt, before))
        .limit(limit);
      const removed = statements.delete(deliveries).where(inArray(deliveries.id, some));
      return (await removed.returning({ id: deliveries.id })).length;
    },
  };
}
