/**
 * Mails to raters about decisions on their held ratings.
 * For users who chose them, at most one mail a day with all decisions since the last one.
 */
import { isLocale } from "../i18n/locale.ts";
import { dayMs, minuteMs } from "../time/units.ts";
import type { MailContext } from "./confirm-email.ts";
import { listedMaximum } from "./kinds.ts";
import { newMail, roomForBulk } from "./outbox.ts";

/** How many subscriptions one transaction processes. */
const pageSize = 50;
/** The most decisions that are read for one mail. */
const readMaximum = 200;
/**
 * How long a decision waits before it is mailed.
 * Longer than a transaction: one with a lower number may be committed later.
 */
export const settlingMs = minuteMs;

/**
 * Makes the rounds of one process.
 * Each queues mails about the decisions that this process has known for a while.
 */
export function decisionMailer(context: MailContext): (now: number) => Promise<void> {
  /** The latest decisions by the time at which they were first seen. */
  let seen: { id: number; at: number }[] = [];

  const { database } = context;

  async function queuePage(until: number, now: number): Promise<boolean> {
    const { mail } = context;
    if (!mail) return false;
    const { decisionSubscriptions, mails, users } = database;
    const limit = await roomForBulk(database, pageSize);
    if (limit === 0) return false;
    const due = await decisionSubscriptions.lockDue({ until, now, limit });
    const withoutMail: number[] = [];
    for (const { userId, locale, afterDecision } of due) {
      const found = await decisionSubscriptions.decisionsFor(userId, {
        after: afterDecision,
        until,
        limit: readMaximum,
      });
      const user = await users.byId(userId);
      if (found.length === 0 || !user || user.disabledAt !== null || user.emailConfirmedAt === null) {
        withoutMail.push(userId);
        continue;
      }
      // Of several decisions on one flood, the latest counts.
      const latest = new Map(found.toReversed().map((each) => [`${each.postId} ${each.window}`, each]));
      const decisions = [...latest.values()].map(({ title, slug, status }) => ({
        title,
        slug,
        status,
      }));
      const data = {
        username: user.username,
        decisions: decisions.slice(0, listedMaximum),
        more: Math.max(0, decisions.length - listedMaximum),
      };
      const to = isLocale(locale) ? locale : mail.siteLocale;
      const queued = newMail({ kind: "decisions", to: user, data, locale: to, now });
      await mails.insert({ ...queued, isBulk: true });
      await decisionSubscriptions.setLastDecision([userId], { afterDecision: until, dueAt: now + dayMs });
    }
    if (withoutMail.length > 0)
      await decisionSubscriptions.setLastDecision(withoutMail, { afterDecision: until });
    return due.length === limit;
  }

  return async (now) => {
    if (!context.mail?.siteUrl) return;
    const id = await database.decisionSubscriptions.lastDecision();
    if (seen.at(-1)?.id !== id) seen.push({ id, at: now });
    const settled = seen.findLast(({ at }) => at <= now - settlingMs);
    if (!settled) return;
    seen = seen.filter(({ at }) => at >= settled.at);
    while (await database.transaction(() => queuePage(settled.id, now)));
  };
}
