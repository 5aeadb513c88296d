/**
 * Mails to authors about floods of ratings on their posts.
 * They choose them on the account page (`choices.ts`), and only confirmed addresses get them.
 */
import { isLocale } from "../i18n/locale.ts";
import { windowPath } from "../paths.ts";
import { decidesOn, decisionRightOf } from "../ratings/decisions/deciders.ts";
import { deadlineOf } from "../ratings/floods/flood-window.ts";
import type { MailContext } from "./confirm-email.ts";
import { queueMail } from "./outbox.ts";

const floodsPerRound = 20;

/** Rolls a transaction back. */
class OutboxFull extends Error {}

/**
 * Queues an email for each held flood that is not mailed yet.
 * When the outbox is full, the others are left to the next call.
 */
export async function queueFloodMails(
  { database, mail, holdMs }: MailContext & { holdMs: number },
  now: number,
): Promise<void> {
  if (!mail?.siteUrl) return;
  const { siteUrl, siteLocale } = mail;
  for (const { window, postId, slug, title, user, locale } of await database.floodSubscriptions.unmailed(
    floodsPerRound,
  )) {
    const data = {
      username: user.username,
      title,
      ratings: window.arrived,
      until: deadlineOf(window, holdMs),
      mayDecide: decidesOn(await decisionRightOf(database, { authorId: user.id }, user), window),
      url: `${siteUrl}${windowPath(slug, window.number)}`,
      settingsUrl: `${siteUrl}/account#mail`,
    };
    const queueing = database.transaction(async () => {
      // Another node may have been first. Over the limit of a day, the flood counts as mailed.
      if (!(await database.floodSubscriptions.markMailed(postId, window.number))) return;
      const to = isLocale(locale) ? locale : siteLocale;
      const queued = await queueMail(database, { kind: "flood", to: user, data, locale: to, now });
      if (queued === "outbox-full") throw new OutboxFull();
    });
    try {
      await queueing;
    } catch (error) {
      if (error instanceof OutboxFull) return;
      throw error;
    }
  }
}
