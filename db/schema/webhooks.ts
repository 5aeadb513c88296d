/** Webhooks, and the deliveries queued for them. */
import { sql } from "drizzle-orm";
import type { postgresColumns } from "../dialects/postgres/columns.ts";
import { webhookEndings, webhookEvents } from "../types.ts";

export function webhookTables(dialect: typeof postgresColumns) {
  const { table, id, integer, bigint, text, key, index, uniqueIndex } = dialect;

  /** The addresses of other programs that get events. */
  const webhooks = table("webhooks", {
    id: id(),
    url: text().notNull(),
    /** Names of events, separated by spaces. */
    events: text().notNull(),
    /** Encrypted with a key of the secret that signs sessions. */
    encryptedSecret: text("encrypted_secret").notNull(),
    /** The secret before the last change, which signs too until `previousUntil`. */
    previousSecret: text("previous_secret"),
    previousUntil: bigint("previous_until"),
    createdAt: bigint("created_at").notNull(),
    /** Null while it is on. */
    disabledAt: bigint("disabled_at"),
    /** Why it was turned off. */
    disabledWhy: text("disabled_why", { enum: webhookEndings }),
    /** The first failed attempt since the last success. */
    failingSince: bigint("failing_since"),
    lastAttemptAt: bigint("last_attempt_at"),
    /** The result of the last attempt: a status, or why there was none. */
    lastResult: text("last_result"),
  });

  /**
   * The outbox of webhooks: a delivery is queued in the transaction that causes it.
   * A background task sends it (lib/webhooks/deliver.ts).
   */
  const webhookDeliveries = table(
    "webhook_deliveries",
    {
      id: id(),
      webhookId: bigint("webhook_id")
        .notNull()
        .references(() => webhooks.id, { onDelete: "cascade" }),
      /** The `webhook-id`, the same in every attempt. */
      messageId: key("message_id").notNull(),
      event: text({ enum: webhookEvents }).notNull(),
      /** The body as it is sent; emptied when the delivery is finished. */
      body: text().notNull(),
      createdAt: bigint("created_at").notNull(),
      /** When the next attempt is due; null when the delivery is finished. */
      dueAt: bigint("due_at"),
      attempts: integer().notNull().default(0),
      finishedAt: bigint("finished_at"),
      /** Why the last attempt failed; null when none did, or when it was delivered. */
      fault: text(),
    },
    (delivery) => [
      index("webhook_deliveries_by_due_time").on(delivery.dueAt).where(sql`due_at is not null`),
      uniqueIndex("webhook_deliveries_by_webhook").on(delivery.webhookId, delivery.messageId),
      index("webhook_deliveries_by_finish").on(delivery.finishedAt).where(sql`finished_at is not null`),
    ],
  );

  return { webhooks, webhookDeliveries };
}
