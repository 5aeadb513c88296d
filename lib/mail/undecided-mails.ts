/**
 * Mails to administrators and moderators about floods that need a decision.
 * For those who chose them: a mail when there is a new one, at most one a day, with all that wait.
 */
import { isLocale } from "../i18n/locale.ts";
import { isDecider } from "../ratings/decisions/deciders.ts";
import { undecidedFloods } from "../ratings/decisions/undecided-floods.ts";
import { deadlineOf } from "../ratings/floods/flood-window.ts";
import type { MailContext } from "./confirm-email.ts";
import { dayMs, listedMaximum } from "./kinds.ts";
import { queueMail } from "./outbox.ts";

/** Queues the mails that are due; while the outbox is full they wait. */
export async function queueUndecidedMails(
  { database, mail, holdMs }: MailContext & { holdMs: number },
  now: number,
): Promise<void> {
  if (!mail?.siteUrl) return;
  const { siteLocale } = mail;
  const { deciderSubscriptions, users } = database;
  for (const { userId, locale, seen } of await deciderSubscriptions.due(now)) {
    const user = await users.byId(userId);
    if (!user || !isDecider(user) || user.disabledAt !== null || user.emailConfirmedAt === null) continue;
    const { floods, hasMore } = await undecidedFloods({ database }, user);
    const waiting = floods.filter(({ authorId }) => authorId !== userId);
    const keys = waiting.map(({ slug, window }) => `${window.number} ${slug}`);
    const before = new Set(seen.split("\n"));
    if (keys.every((key) => before.has(key))) continue;
    const data = {
      username: user.username,
      floods: waiting.slice(0, listedMaximum).map(({ title, slug, window }) => ({
        title,
        ratings: window.arrived,
        until: window.status === "held" ? deadlineOf(window, holdMs) : null,
        slug,
        number: window.number,
      })),
      hasMore: hasMore || waiting.length > listedMaximum,
    };
    const to = isLocale(locale) ? locale : siteLocale;
    await database.transaction(async () => {
      // Another node may have been first.
      const subscription = await deciderSubscriptions.lock(userId);
      if (!subscription || subscription.dueAt > now) return;
      const queued = await queueMail(database, {
        kind: "undecided-floods",
        to: user,
        data,
        locale: to,
        now,
      });
      if (queued === "outbox-full") return;
      await deciderSubscriptions.setSeen(userId, { seen: keys.join("\n"), dueAt: now + dayMs });
    });
  }
}
