/**
 * Mails to administrators and moderators about floods that need a decision.
 * For subscribers: a mail when there is a new one, at most one a day, with all that wait.
 */
import type { Database } from "../../db/index.ts";
import { isLocale } from "../i18n/locale.ts";
import { isDecider } from "../ratings/decisions/deciders.ts";
import { undecidedFloods } from "../ratings/decisions/undecided-floods.ts";
import { deadlineOf } from "../ratings/floods/flood-window.ts";
import { dayMs } from "../time/units.ts";
import type { MailContext } from "./confirm-email.ts";
import { listedMaximum } from "./kinds.ts";
import { queueMail } from "./outbox.ts";

interface UndecidedContext extends MailContext {
  holdMs: number;
}

/**
 * How long an unchanged state is skipped.
 * It does not show all: a flood also waits again when an administrator publishes its post again.
 */
const sameStateMs = 600_000;

/**
 * Makes the rounds of one process: each queues the mails that are due.
 * A round ends early while neither floods nor subscriptions have changed. While the outbox is full, mails wait.
 */
export function undecidedMailer(context: UndecidedContext): (now: number) => Promise<void> {
  const { deciderSubscriptions } = context.database;
  /** The state of the last round, which left nothing to do. */
  let last = { state: "", at: 0 };

  return async (now) => {
    if (!context.mail?.siteUrl) return;
    const due = (await deciderSubscriptions.due(now)).filter(
      ({ user }) => isDecider(user) && user.disabledAt === null && user.emailConfirmedAt !== null,
    );
    if (due.length === 0) return;
    const deciders = due.map(({ seen, user: { id, isAdministrator } }) => [id, isAdministrator, seen]);
    const state = JSON.stringify([deciders, await deciderSubscriptions.floodState()]);
    if (state === last.state && Math.abs(now - last.at) < sameStateMs) return;
    for (const each of due) if (!(await queueFor(context, each, now))) return;
    last = { state, at: now };
  };
}

/**
 * Queues the mail of one subscription if there is a new flood.
 * False while the outbox is full.
 */
async function queueFor(
  { database, mail, holdMs }: UndecidedContext,
  { user, locale, seen }: Awaited<ReturnType<Database["deciderSubscriptions"]["due"]>>[number],
  now: number,
): Promise<boolean> {
  const { floods, hasMore } = await undecidedFloods({ database }, user);
  const waiting = floods.filter(({ mayDecide }) => mayDecide);
  const keys = waiting.map(({ slug, window }) => `${window.number} ${slug}`);
  const before = new Set(seen.split("\n"));
  if (keys.every((key) => before.has(key))) return true;
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
  const to = isLocale(locale) ? locale : (mail?.siteLocale ?? "en");
  return database.transaction(async () => {
    // Another node may have been first.
    const subscription = await database.deciderSubscriptions.lock(user.id);
    if (!subscription || subscription.dueAt > now) return true;
    const queued = await queueMail(database, { kind: "undecided-floods", to: user, data, locale: to, now });
    if (queued === "outbox-full") return false;
    await database.deciderSubscriptions.setSeen(user.id, { seen: keys.join("\n"), dueAt: now + dayMs });
    return true;
  });
}
