import { z } from "zod";
import { challengeSchema, solutionSchema } from "../challenge/schema.ts";
import { responseMaximum } from "../second-factor/webauthn.ts";
import { line } from "../validation.ts";
import { hasVisibleMarks, isInCommonUse, isOfOneScript } from "./usernames.ts";

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
  // Invisible characters would allow two accounts with one visible name, or an invisible name.
  .refine((value) => !/\p{Default_Ignorable_Code_Point}/u.test(value), {
    error: "Username must not have invisible characters.",
    abort: true,
  })
  .refine(isInCommonUse, {
    error:
      "Username has a letter or mark that is not in common use, and could look like another: leave it out.",
    abort: true,
  })
  .refine(hasVisibleMarks, {
    error: "Username has the same mark twice on one letter, or more than four marks: leave some out.",
    abort: true,
  })
  .refine(
    isOfOneScript,
    "Username must use one script: it cannot mix Latin, Greek and Cyrillic letters, for example.",
  )
  // Normalising may make a name longer: some characters expand to a dozen others.
  .refine(
    (value) => value.length <= usernameMaximum,
    `Username must have at most ${usernameMaximum} characters.`,
  );

const email = line("Email", 3, emailMaximum).refine(
  (value) => z.email().safeParse(value).success,
  "Email must be an address such as name@example.org.",
);

export const newAccountSchema = z.object(
  { username, email, password: password("Password", passwordMinimum) },
  "A registration is an object with username, email and password.",
);

export const registrationSchema = newAccountSchema.extend({
  challenge: challengeSchema.optional(),
  solution: solutionSchema.optional(),
  invitation: z
    .string("Invitation must be text.")
    .max(100, "Invitation is too long.")
    .optional()
    .describe("The token of an invitation, from its link, where the site takes one."),
});

/** Looser than registration: other names simply have no account. */
export const logInSchema = z.object(
  {
    username: line("Username", 1, 200),
    password: password("Password", 1),
    code: line("Code", 1, 40)
      .optional()
      .describe("A one-time code or a recovery code, where the account has a second factor."),
  },
  "A log-in is an object with username and password.",
);

export const passwordChangeSchema = z.object(
  {
    currentPassword: password("Current password", 1),
    newPassword: password("New password", passwordMinimum),
  },
  "A password change is an object with currentPassword and newPassword.",
);

/** A new password set by the operator, without the old one. */
export const passwordResetSchema = z.object(
  { newPassword: password("New password", passwordMinimum) },
  "A password reset is an object with newPassword.",
);

/** Required again before actions that cannot be undone or outlast the session. */
export const currentPassword = password("Password", 1);

export const confirmationSchema = z.object(
  { currentPassword },
  "A confirmation is an object with currentPassword.",
);

/** The first code of a second factor, with the password again. */
export const firstCodeSchema = z.object(
  { currentPassword, code: line("Code", 1, 40) },
  "A confirmation is an object with currentPassword and code.",
);

export const newPasskeySchema = z.object(
  {
    name: line("Name", 1, 60),
    currentPassword,
    /** The registration response, as JSON, in the second of two requests. */
    response: z.string().max(responseMaximum, "The passkey is too long.").optional(),
  },
  "A passkey is an object with name and currentPassword.",
);

export const passkeyRemovalSchema = z.object(
  { currentPassword, passkey: z.coerce.number("Choose a passkey.").int("Choose a passkey.") },
  "A removal is an object with passkey and currentPassword.",
);

export const accountDeletionSchema = z.object(
  { currentPassword },
  "A deletion is an object with currentPassword.",
);

/** A username or email in comparison form: NFKC and lower case. */
export function comparisonKey(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}
