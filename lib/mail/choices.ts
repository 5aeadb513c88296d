/** The mails that a user has chosen to get. */
import type { Locale } from "../i18n/locale.ts";
import { isDecider } from "../ratings/decisions/deciders.ts";
import type { MailContext } from "./confirm-email.ts";
import { canSendLinks } from "./settings.ts";

/** The mails that a user turns on and off. */
export const mailChoices = ["floods", "decisions", "undecided", "posts"] as const;
export type MailChoice = (typeof mailChoices)[number];

/** The choices that a user has; only administrators and moderators decide. */
export function mailChoicesOf(user: Parameters<typeof isDecider>[0]): readonly MailChoice[] {
  return mailChoices.filter((choice) => choice !== "undecided" || isDecider(user));
}

/** The account's address, and which mails it gets. */
export interface ChosenMails {
  email: string;
  isConfirmed: boolean;
  chosen: ReadonlySet<MailChoice>;
}

export async function chosenMailsOf(
  { database }: Pick<MailContext, "database">,
  userId: number,
): Promise<ChosenMails | undefined> {
  const user = await database.users.byId(userId);
  if (!user) return undefined;
  const isConfirmed = user.emailConfirmedAt !== null;
  const chosen = new Set<MailChoice>();
  if (await database.floodSubscriptions.of(userId)) chosen.add("floods");
  if (await database.decisionSubscriptions.of(userId)) chosen.add("decisions");
  if (await database.deciderSubscriptions.of(userId)) chosen.add("undecided");
  // Whether an unconfirmed address is subscribed is its owner's secret.
  if (isConfirmed && (await database.subscribers.byEmailKey(user.emailKey))) chosen.add("posts");
  return { email: user.email, isConfirmed, chosen };
}

/** Whether an author could get emails about floods, and does not. */
export async function lacksFloodMails(context: MailContext, userId: number): Promise<boolean> {
  if (!canSendLinks(context)) return false;
  const { floodSubscriptions, users } = context.database;
  const user = await users.byId(userId);
  return user?.emailConfirmedAt === null || !(await floodSubscriptions.of(userId));
}

/** Saves the user's choices; they need a confirmed address. */
export function chooseMails(
  { database, mail }: MailContext,
  {
    userId,
    chosen,
    locale,
    now,
  }: { userId: number; chosen: ReadonlySet<string>; locale: Locale; now: number },
): Promise<{ kind: "saved" } | { kind: "unconfirmed" } | { kind: "no-mail" }> {
  const { deciderSubscriptions, decisionSubscriptions, floodSubscriptions, subscribers, users } = database;
  return database.transaction(async () => {
    if (!mail?.siteUrl) return { kind: "no-mail" };
    const user = await users.lock(userId);
    if (!user || user.emailConfirmedAt === null) return { kind: "unconfirmed" };
    if (chosen.has("floods")) {
      const confirmed = { addressKey: user.emailKey, confirmedAt: user.emailConfirmedAt };
      await floodSubscriptions.save({ userId, locale, ...confirmed });
    } else await floodSubscriptions.remove(userId);
    if (chosen.has("decisions")) {
      const afterDecision = await decisionSubscriptions.lastDecision();
      await decisionSubscriptions.add({ userId, locale, afterDecision, dueAt: now });
    } else await decisionSubscriptions.remove(userId);
    if (chosen.has("undecided") && isDecider(user))
      await deciderSubscriptions.add({ userId, locale, dueAt: now });
    else await deciderSubscriptions.remove(userId);
    const { email, emailKey } = user;
    if (chosen.has("posts")) await subscribers.add({ email, emailKey, locale, createdAt: now });
    else await subscribers.remove({ emailKey });
    return { kind: "saved" };
  });
}
