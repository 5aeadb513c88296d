/** Publishing drafts, at once or when they are due. */
import type { Database } from "../../db/index.ts";
import type { WhoMayWrite } from "../site/schema.ts";
import { dayMs } from "../time/units.ts";
import { toUser } from "../users/user-of-row.ts";
import { mayWrite } from "../users/writers.ts";
import { queuePublished } from "../webhooks/queue.ts";

/** How old a new post's date may be for subscribers to be mailed about it. */
const announcedAtMostMs = dayMs;

/**
 * Publishes a draft, dated `publishedAt`.
 * Does nothing when it is published already. Each draft is published here, once, with the consequences; an import inserts published posts. Without `isNews`
 * subscribers get no mail about it. Call it in a transaction.
 */
export async function publish(
  database: Database,
  id: number,
  {
    publishedAt,
    now,
    isNews = publishedAt > now - announcedAtMostMs,
  }: { publishedAt: number; now: number; isNews?: boolean },
): Promise<void> {
  const published = await database.posts.publish(id, publishedAt);
  if (!published) return;
  if (!published.isUnlisted) {
    await database.subscribers.announce(id, isNews ? now : null);
    await queuePublished(database, id, now);
  }
  // Its author may list it later: that is not news to subscribers either, as its author has dated it back.
  else if (!isNews) await database.subscribers.announceWithoutMails(id);
}

/**
 * Announces a published post that lists now have, unless it was announced before.
 * Call it in a transaction.
 */
export async function announceListed(database: Database, id: number, now: number): Promise<void> {
  if (await database.subscribers.announce(id, now)) await queuePublished(database, id, now);
}

/** How many posts one transaction publishes. */
const batch = 20;

/**
 * Publishes the drafts that are due by `now`.
 * Each gets the date that its author chose, and is news however late: no server may have run. A draft whose author may
 * not write any more stays one, with the date that it missed. Several nodes may do it at once: each draft is published
 * by one.
 */
export async function publishDue(
  { database, whoMayWrite }: { database: Database; whoMayWrite: WhoMayWrite },
  now: number,
): Promise<void> {
  while (await database.posts.anyPublicationDue(now)) {
    const found = await database.transaction(async () => {
      const due = await database.posts.duePublications(now, batch);
      for (const { id, authorId, publishAt } of due) {
        const isActive = (await database.users.active(authorId)) !== undefined;
        const author = isActive ? await database.users.byId(authorId) : undefined;
        const mayAct = author && author.deletedAt === null && author.pendingSince === null;
        if (mayAct && mayWrite(toUser(author), whoMayWrite))
          await publish(database, id, { publishedAt: publishAt ?? now, now, isNews: true });
        else await database.posts.markMissed(id, publishAt ?? now);
      }
      return due.length;
    });
    if (found < batch) return; // others are locked by another node
  }
}
