/**
 * Mails about new posts to subscribers.
 * At most one a day for each, with all posts since the last one: so no number of posts fills a mailbox.
 */
import { isLocale } from "../i18n/locale.ts";
import { dayMs, minuteMs } from "../time/units.ts";
import type { MailContext } from "./confirm-email.ts";
import { listedMaximum } from "./kinds.ts";
import { newMail, roomForBulk } from "./outbox.ts";

/** How many subscribers one transaction processes. */
const pageSize = 100;
/** The most posts that are read for one mail. */
const readMaximum = 200;
/**
 * How long a new post waits before it is mailed.
 * Longer than a transaction: one that began earlier may be committed later.
 */
export const settlingMs = minuteMs;

/**
 * Queues mails to the subscribers that are due, a page at a time.
 * Each page and the progress of its subscribers are saved in one transaction. When half of the outbox is full, the others
 * are left to the next call.
 */
export async function queueNewPostMails({ database, mail }: MailContext, now: number): Promise<void> {
  if (!mail?.siteUrl) return;
  const until = now - settlingMs;
  const newest = await database.subscribers.newestAnnouncement(until);
  if (newest === undefined) return;
  const { siteLocale } = mail;

  async function queuePage(announcedAt: number): Promise<boolean> {
    const { mails, subscribers } = database;
    const limit = await roomForBulk(database, pageSize);
    if (limit === 0) return false;
    const due = await subscribers.lockDue({ newest: announcedAt, now, limit });
    const byTime = Map.groupBy(due, ({ mailedUntil }) => mailedUntil);
    for (const [after, group] of byTime) {
      const ids = group.map(({ id }) => id);
      const found = await subscribers.announced({ after, until, limit: readMaximum });
      if (found.length === 0) {
        await subscribers.setMailed(ids, { mailedUntil: until });
        continue;
      }
      const data = { posts: found.slice(0, listedMaximum), more: Math.max(0, found.length - listedMaximum) };
      const rows = group.map(({ email, emailKey, locale: language }) => {
        const locale = isLocale(language) ? language : siteLocale;
        const to = { id: null, email, emailKey };
        return { ...newMail({ kind: "new-posts", to, data, locale, now }), isBulk: true };
      });
      await mails.insert(...rows);
      await subscribers.setMailed(ids, { mailedUntil: until, dueAt: now + dayMs });
    }
    return due.length === limit;
  }

  while (await database.transaction(() => queuePage(newest)));
}
