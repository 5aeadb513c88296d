/** Changes of an account's address, confirmed by a link to the new one. */
import { tokenHash } from "../auth/token.ts";
import type { Locale } from "../i18n/locale.ts";
import { checkLimits } from "../limits/check-limits.ts";
import type { Refused } from "../limits/types.ts";
import { mailLimits, restorableMs } from "../mail/kinds.ts";
import { linkToken } from "../mail/link-token.ts";
import { newMessageId, queueMail } from "../mail/outbox.ts";
import { canSendLinks } from "../mail/settings.ts";
import { currentLocale } from "../request/current-request.ts";
import type { Session } from "../sessions/index.ts";
import { type Invalid, validate } from "../validation.ts";
import type { PasswordsBusy } from "./password.ts";
import { confirmPassword, type SessionEnded, whileUnchanged } from "./password-guess.ts";
import { comparisonKey, emailChangeSchema } from "./schema.ts";
import type { AccountContext } from "./types.ts";

const kind = "confirm-new-email";

/**
 * Mails a link to a new address, and a notice to the old one.
 * Replaces the account's other request. The answer is the same for an address of another account, whose owner gets a mail
 * that reports it.
 */
export async function requestEmailChange(
  context: AccountContext,
  {
    session,
    input,
    address,
    locale,
    now,
  }: { session: Session; input: unknown; address: string; locale: Locale; now: number },
): Promise<
  | { kind: "requested" }
  | { kind: "no-mail" }
  /** The account has this address, as compared. */
  | { kind: "same" }
  | { kind: "wrong" }
  | SessionEnded
  | PasswordsBusy
  | Refused
  | Invalid
> {
  const { database, guard, limits, mail } = context;
  if (!mail || !canSendLinks({ mail })) return { kind: "no-mail" };
  const checked = validate(emailChangeSchema, input);
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  const { email, currentPassword: password } = checked.value;
  const { user } = session;
  const request = { session, password, purpose: "change-email", address, now } as const;
  const guess = await confirmPassword(context, request);
  if (guess.kind !== "right") return guess;
  const current = guess.user;
  if (current.email === email) return { kind: "same" };
  const checks = [[limits["email.user"], user.id]] as const;
  const decided = await checkLimits(guard, { client: { address, username: user.username }, checks, now });
  if (decided.kind !== "allowed") return decided;
  const emailKey = comparisonKey(email);
  return whileUnchanged(context, current, session, async () => {
    const messageId = newMessageId();
    const to = { id: user.id, email, emailKey };
    const queued = await queueMail(database, { kind, to, data: {}, locale, now, messageId });
    if (queued === "outbox-full") return { kind: "unavailable" };
    // Beyond the limit of the new address's day nothing is sent, with the same answer.
    if (queued === "day-full") return { kind: "requested" };
    await database.emailChanges.save({
      userId: user.id,
      email,
      emailKey,
      tokenHash: tokenHash(linkToken(mail, messageId)),
      createdAt: now,
      expiresAt: now + mailLimits[kind].validMs,
    });
    const data = { username: current.username };
    await queueMail(database, { kind: "email-change", to: current, data, locale, now });
    return { kind: "requested" };
  });
}

/** The address that the account is about to get; undefined when there is none. */
export async function pendingEmail(
  { database }: Pick<AccountContext, "database">,
  userId: number,
  now: number,
): Promise<string | undefined> {
  return (await database.emailChanges.of(userId, now))?.email;
}

export function cancelEmailChange(
  { database }: Pick<AccountContext, "database">,
  userId: number,
): Promise<void> {
  return database.emailChanges.remove(userId);
}

/** The account and the new address of a link; undefined when it cannot be used. */
export async function changeOfLink(
  { database }: Pick<AccountContext, "database">,
  token: string,
  now: number,
): Promise<{ username: string; email: string } | undefined> {
  const change = await database.emailChanges.open(tokenHash(token), now);
  const user = change && (await database.users.byId(change.userId));
  return user?.disabledAt === null ? { username: user.username, email: change?.email ?? "" } : undefined;
}

/**
 * Changes an address with the token of a link, once.
 * The old address gets a mail with a link that restores it; without room for that mail nothing changes.
 */
export async function confirmEmailChange(
  { database, mail }: Pick<AccountContext, "database" | "mail">,
  token: string,
  now: number,
  locale: Locale = currentLocale(),
): Promise<{ kind: "changed" } | { kind: "expired" } | { kind: "unavailable" }> {
  const hash = tokenHash(token);
  const found = await database.emailChanges.open(hash, now);
  if (!found || !mail) return { kind: "expired" };
  return database.transaction(async () => {
    const user = await database.users.lock(found.userId);
    const change = await database.emailChanges.open(hash, now);
    if (user?.disabledAt !== null || !change) return { kind: "expired" };
    const { email, emailKey } = change;
    const owner = await database.users.byEmailKey(emailKey);
    if (owner && owner.id !== user.id) {
      await database.emailChanges.remove(user.id);
      return { kind: "expired" };
    }
    const messageId = newMessageId();
    const data = { username: user.username };
    const notice = {
      kind: "email-changed",
      to: user,
      data,
      locale,
      now,
      messageId,
    } as const;
    if ((await queueMail(database, notice)) !== "queued") return { kind: "unavailable" };
    await database.mailLinks.insert({
      tokenHash: tokenHash(linkToken(mail, messageId)),
      kind: "restore-email",
      userId: user.id,
      addressKey: user.emailKey,
      address: user.email,
      createdAt: now,
      expiresAt: now + restorableMs,
    });
    await database.users.changeEmail(user.id, { email, emailKey }, now);
    // An unconfirmed address may be a stranger's, and so its subscription.
    if (user.emailConfirmedAt !== null)
      await database.subscribers.changeEmail(user.emailKey, { email, emailKey });
    return { kind: "changed" };
  });
}
