/**
 * Restores an account's former address, with the link in the notice of its change.
 * For an owner whose account another person has taken over: it sets a new password, too, and ends all sessions and API
 * tokens.
 */
import { tokenHash } from "../auth/token.ts";
import type { Locale } from "../i18n/locale.ts";
import type { Refused } from "../limits/types.ts";
import { queueMail } from "../mail/outbox.ts";
import type { Invalid } from "../validation.ts";
import type { PasswordsBusy } from "./password.ts";
import { hashForLink, setPasswordAndEndAccess } from "./password-reset.ts";
import type { AccountContext } from "./types.ts";

/** The account and the former address of a link; undefined when it cannot be used. */
export async function formerAddressOf(
  { database }: Pick<AccountContext, "database">,
  token: string,
  now: number,
): Promise<{ username: string; email: string } | undefined> {
  const found = await database.mailLinks.formerAddress(tokenHash(token), now);
  return found && { username: found.user.username, email: found.email };
}

/**
 * Restores the address of a link, once, and withdraws the links of later changes.
 * The address that the account had meanwhile gets a mail.
 */
export async function restoreEmail(
  context: Pick<AccountContext, "database" | "guard" | "limits" | "mail">,
  {
    token,
    input,
    address,
    locale,
    now,
  }: { token: string; input: unknown; address: string; locale: Locale; now: number },
): Promise<
  | { kind: "restored" }
  | { kind: "expired" }
  /** Another account has the address by now. */
  | { kind: "taken" }
  | PasswordsBusy
  | Invalid
  | Refused
> {
  const { database } = context;
  const { mailLinks, subscribers, users } = database;
  const hash = tokenHash(token);
  const hashed = await hashForLink(
    context,
    { input, address, now },
    async () => (await mailLinks.formerAddress(hash, now))?.user,
  );
  if (hashed.kind !== "hashed") return hashed;
  return database.transaction(async () => {
    const user = await users.lock(hashed.user.id);
    const former = await mailLinks.formerAddress(hash, now);
    if (!user || !former) return { kind: "expired" };
    const { email, emailKey, replacedAt } = former;
    const owner = await users.byEmailKey(emailKey);
    if (owner && owner.id !== user.id) return { kind: "taken" };
    await mailLinks.withdrawFormerAddresses(user.id, replacedAt);
    await users.changeEmail(user.id, { email, emailKey }, now);
    await setPasswordAndEndAccess(database, user.id, hashed.hash);
    if (user.emailKey === emailKey) return { kind: "restored" };
    await subscribers.changeEmail(user.emailKey, { email, emailKey });
    const data = { username: user.username };
    await queueMail(database, { kind: "email-changed", to: user, data, locale, now });
    return { kind: "restored" };
  });
}
