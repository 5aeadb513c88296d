/** Passwords that are guessed first: common ones, and names of account and site. */
import { translator } from "../i18n/index.ts";
import { env } from "../settings/env.ts";
import { siteSettings } from "../site/index.ts";
import { comparisonKey, passwordMinimum } from "./schema.ts";

interface PasswordOwner {
  username: string;
  email?: string | undefined;
}

/**
 * The faults of a new password, as sentences.
 * Undefined unless it is an obvious guess. Never repeats the password.
 */
export async function weaknessOf(
  password: string,
  { username, email = "" }: PasswordOwner,
  siteUrl: string | undefined = env.SITE_URL,
): Promise<string[] | undefined> {
  const [mailbox = "", domain = ""] = email.split("@");
  const host = siteUrl ? new URL(siteUrl).hostname.replace(/^www\./, "") : "";
  const names = [username, email, mailbox, domain, siteSettings().SITE_NAME, host, host.split(".")[0] ?? ""];
  if (names.some((name) => isLittleMoreThan(name, password)))
    return [translator("validation")("password.ownName")];
  return (await commonPasswords()).has(comparisonKey(password).trim())
    ? [translator("validation")("password.common")]
    : undefined;
}

/**
 * Whether a password is a name, perhaps repeated, and up to four digits.
 * Case, accents' forms and marks do not count.
 */
function isLittleMoreThan(name: string, password: string): boolean {
  const letters = lettersOf(name);
  if (letters === "") return false;
  const text = lettersOf(password);
  return text.includes(letters) && /^\p{N}{0,4}$/u.test(text.replaceAll(letters, ""));
}

/** The letters and digits of a text in comparison form. */
function lettersOf(text: string): string {
  return comparisonKey(text).replace(/[^\p{L}\p{M}\p{N}]/gu, "");
}

let loaded: Promise<ReadonlySet<string>> | undefined;

/**
 * The 49,000 most common passwords, in comparison form.
 * Loaded with the first password that is chosen.
 */
function commonPasswords(): Promise<ReadonlySet<string>> {
  loaded ??= import("@zxcvbn-ts/language-common").then(
    ({ dictionary }) =>
      new Set(
        dictionary["passwords-common"].map(comparisonKey).filter(({ length }) => length >= passwordMinimum),
      ),
  );
  return loaded;
}
