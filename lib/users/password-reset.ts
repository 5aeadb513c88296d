/**
 * Resets of forgotten passwords, by a link in an email.
 *
 * A request does the same work whether the address belongs to an account or not: it queues a row, and only the
 * background task looks the account up (`lib/mail/reset-link.ts`). So neither the answer nor its time reveals an account.
 */
import type { Database, UserRow } from "../../db/index.ts";
import { tokenHash } from "../auth/token.ts";
import type { Locale } from "../i18n/locale.ts";
import { checkLimits } from "../limits/check-limits.ts";
import type { Refused } from "../limits/types.ts";
import { queueMail, queueResetRequest } from "../mail/outbox.ts";
import { canSendLinks } from "../mail/settings.ts";
import { type Invalid, validate } from "../validation.ts";
import { type PasswordsBusy, passwordHasher } from "./password.ts";
import { comparisonKey, passwordResetSchema, resetRequestSchema } from "./schema.ts";
import type { AccountContext } from "./types.ts";
import { weaknessOf } from "./weak-passwords.ts";

interface ResetRequest {
  input: unknown;
  /** The client's network address. */
  address: string;
  locale: Locale;
  now: number;
}

/** Requests a link for the account with an email address, if there is one. */
export async function requestPasswordReset(
  context: Pick<AccountContext, "database" | "guard" | "limits" | "mail">,
  { input, address, locale, now }: ResetRequest,
): Promise<{ kind: "requested" } | { kind: "no-mail" } | Invalid | Refused> {
  if (!canSendLinks(context)) return { kind: "no-mail" };
  const checked = validate(resetRequestSchema, input);
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  const { email } = checked.value;
  const { database, guard, limits } = context;
  const emailKey = comparisonKey(email);
  return guard.run<{ kind: "requested" } | Refused>({
    client: { address },
    now,
    plan: async () => ({
      checks: [
        [limits["reset.address"], address],
        [limits["reset.account"], emailKey],
      ],
      execute: async ({ refused }) => {
        if (refused) return refused;
        await queueResetRequest(database, { emailKey, locale, now });
        return { kind: "requested" };
      },
    }),
  });
}

/** The username of the account that a link is for; undefined when it is not valid. */
export async function usernameOfLink(
  { database }: Pick<AccountContext, "database">,
  token: string,
  now: number,
): Promise<string | undefined> {
  return (await database.mailLinks.userOf(tokenHash(token), "password-reset", now))?.username;
}

/**
 * Sets a new password with the token of a link, once.
 * It ends all sessions and API tokens, which may be another person's, and starts no session, so a second factor is still
 * needed to log in. The account gets an email about it.
 */
export async function resetForgottenPassword(
  context: Pick<AccountContext, "database" | "guard" | "limits" | "mail">,
  { token, input, address, locale, now }: ResetRequest & { token: string },
): Promise<{ kind: "reset" } | { kind: "expired" } | PasswordsBusy | Invalid | Refused> {
  const { database, mail } = context;
  const hash = tokenHash(token);
  const hashed = await hashForLink(context, { input, address, now }, () =>
    database.mailLinks.userOf(hash, "password-reset", now),
  );
  if (hashed.kind !== "hashed") return hashed;
  return database.transaction(async () => {
    const user = await database.users.lock(hashed.user.id);
    // The account may have changed while the password was hashed, and another request may have used the link.
    const isSame = user?.disabledAt === null && user.emailKey === hashed.user.emailKey;
    if (!isSame || !(await database.mailLinks.use(hash, "password-reset", now))) return { kind: "expired" };
    await setPasswordAndEndAccess(database, user.id, hashed.hash);
    const data = { username: user.username, by: "link" } as const;
    if (mail) await queueMail(database, { kind: "password-changed", to: user, data, locale, now });
    return { kind: "reset" };
  });
}

/**
 * Sets the password of an account that was lost, or taken over.
 * Ends all sessions and API tokens, which may be another person's. Call it in a transaction that has locked the user.
 */
export async function setPasswordAndEndAccess(
  { apiTokens, users }: Pick<Database, "apiTokens" | "users">,
  userId: number,
  passwordHash: string,
): Promise<void> {
  await users.setPasswordAndEndSessions(userId, passwordHash);
  await apiTokens.removeAllOf(userId);
}

/**
 * Checks and hashes the new password that was sent with a link.
 * `userOf` finds the link's account; undefined when the link cannot be used.
 */
export async function hashForLink(
  { guard, limits }: Pick<AccountContext, "guard" | "limits">,
  { input, address, now }: { input: unknown; address: string; now: number },
  userOf: () => Promise<UserRow | undefined>,
): Promise<
  { kind: "hashed"; hash: string; user: UserRow } | { kind: "expired" } | PasswordsBusy | Invalid | Refused
> {
  const checked = validate(passwordResetSchema, input);
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  const { newPassword } = checked.value;
  // A token cannot be guessed, so it counts by address only, apart from passwords.
  const checks = [[limits["login.address"], `reset ${address}`]] as const;
  const counted = await checkLimits(guard, { client: { address }, checks, now });
  if (counted.kind !== "allowed") return counted;
  const user = await userOf();
  if (!user) return { kind: "expired" };
  const weakness = await weaknessOf(newPassword, user);
  if (weakness) return { kind: "invalid", errors: { newPassword: weakness } };
  const hashed = await passwordHasher().hash(newPassword, user.id);
  return hashed.kind === "hashed" ? { ...hashed, user } : hashed;
}
