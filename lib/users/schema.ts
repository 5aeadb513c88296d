import { z } from "zod";
import { line } from "../validation.ts";

export const passwordMinimum = 8;
const passwordMaximum = 200;
const usernameMaximum = 30;
const emailMaximum = 254;

const password = (name: string, minimum: number) =>
  z
    .string(`${name} is missing.`)
    .min(minimum, minimum === 1 ? `${name} is missing.` : `${name} must have at least ${minimum} characters.`)
    .max(passwordMaximum, `${name} must have at most ${passwordMaximum} characters.`)
    .refine((value) => value.isWellFormed(), `${name} has a broken character (half of a surrogate pair).`);

const username = line("Username", 2, usernameMaximum)
  .transform((value) => value.normalize("NFKC"))
  .refine((value) => /^[\p{L}\p{N}][\p{L}\p{M}\p{N}_.-]*$/u.test(value), {
    error: "Username must be of letters and digits of any script, with . _ - between them.",
    abort: true,
  })
  // Invisible characters would make two accounts of one name, or a name that nobody sees.
  .refine(
    (value) => !/\p{Default_Ignorable_Code_Point}/u.test(value),
    "Username must not have invisible characters.",
  )
  // Some characters stand for a dozen others, so what was short enough may have become too long.
  .refine(
    (value) => value.length <= usernameMaximum,
    `Username must have at most ${usernameMaximum} characters.`,
  );

const email = line("Email", 3, emailMaximum).refine(
  (value) => z.email().safeParse(value).success,
  "Email must be an address such as name@example.org.",
);

export const registrationSchema = z.object(
  { username, email, password: password("Password", passwordMinimum) },
  "A registration is an object with username, email and password.",
);

/** Looser than registration: what does not fit there is simply no account. */
export const logInSchema = z.object(
  { username: line("Username", 1, 200), password: password("Password", 1) },
  "A log-in is an object with username and password.",
);

export const passwordChangeSchema = z.object(
  {
    currentPassword: password("Current password", 1),
    newPassword: password("New password", passwordMinimum),
  },
  "A password change is an object with currentPassword and newPassword.",
);

/** A new password that somebody else sets, who need not know the old one. */
export const passwordResetSchema = z.object(
  { newPassword: password("New password", passwordMinimum) },
  "A password reset is an object with newPassword.",
);

/** Asked for again before something that cannot be undone, or that outlasts the session. */
export const currentPassword = password("Password", 1);

export const accountDeletionSchema = z.object(
  { currentPassword },
  "A deletion is an object with currentPassword.",
);

/** A username or an email as compared: compatibility forms and case do not make two of them. */
export function comparisonKey(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}
