import { z } from "zod";
import { challengeSchema, solutionSchema } from "../challenge/schema.ts";
import { translator } from "../i18n/index.ts";
import { responseMaximum } from "../second-factor/webauthn.ts";
import { type FieldName, fault, line, noTextFault, tooLongFault, tooShortFault } from "../validation.ts";
import { hasVisibleMarks, isInCommonUse, isOfOneScript } from "./usernames.ts";

export const passwordMinimum = 8;
const passwordMaximum = 200;
const usernameMaximum = 30;
const emailMaximum = 254;

const password = (field: FieldName, minimum: number) =>
  z
    .string({ error: ({ input }) => noTextFault(field, input) })
    .min(minimum, { error: () => tooShortFault(field, minimum) })
    .max(passwordMaximum, { error: () => tooLongFault(field, passwordMaximum) })
    .refine((value) => value.isWellFormed(), { error: () => fault(field, "brokenCharacter") });

const username = line("username", 2, usernameMaximum)
  .transform((value) => value.normalize("NFKC"))
  .refine((value) => /^[\p{L}\p{N}][\p{L}\p{M}\p{N}_.-]*$/u.test(value), {
    error: () => translator("validation")("username.characters"),
    abort: true,
  })
  // Invisible characters would allow two accounts with one visible name, or an invisible name.
  .refine((value) => !/\p{Default_Ignorable_Code_Point}/u.test(value), {
    error: () => translator("validation")("username.invisible"),
    abort: true,
  })
  .refine(isInCommonUse, {
    error: () => translator("validation")("username.uncommon"),
    abort: true,
  })
  .refine(hasVisibleMarks, {
    error: () => translator("validation")("username.marks"),
    abort: true,
  })
  .refine(isOfOneScript, { error: () => translator("validation")("username.scripts") })
  // Normalising may make a name longer: some characters expand to a dozen others.
  .refine((value) => value.length <= usernameMaximum, {
    error: () => tooLongFault("username", usernameMaximum),
  });

const email = line("email", 0, emailMaximum).refine((value) => z.email().safeParse(value).success, {
  error: () => translator("validation")("email.form"),
});

export const newAccountSchema = z.object(
  { username, email, password: password("password", passwordMinimum) },
  "A registration is an object with username, email and password.",
);

export const invitationToken = z
  .string({ error: () => translator("validation")("invitation") })
  .max(100, { error: () => translator("validation")("invitation") });

export const registrationSchema = newAccountSchema.extend({
  challenge: challengeSchema.optional(),
  solution: solutionSchema.optional(),
  invitation: invitationToken
    .optional()
    .describe("The token of an invitation, from its link, where the site takes one."),
});

/** Looser than registration: other names simply have no account. */
export const logInSchema = z.object(
  {
    username: line("username", 1, 200),
    password: password("password", 1),
    code: line("code", 1, 40)
      .optional()
      .describe("A one-time code or a recovery code, where the account has a second factor."),
  },
  "A log-in is an object with username and password.",
);

export const passwordChangeSchema = z.object(
  {
    currentPassword: password("currentPassword", 1),
    newPassword: password("newPassword", passwordMinimum),
  },
  "A password change is an object with currentPassword and newPassword.",
);

/** The request of a link to set a new password. */
export const resetRequestSchema = z.object(
  { email },
  "A request for a new password is an object with email.",
);

/** A new password set by the operator or with a link, without the old one. */
export const passwordResetSchema = z.object(
  { newPassword: password("newPassword", passwordMinimum) },
  "A password reset is an object with newPassword.",
);

/** Required again before actions that cannot be undone or outlast the session. */
export const currentPassword = password("password", 1);

export const confirmationSchema = z.object(
  { currentPassword },
  "A confirmation is an object with currentPassword.",
);

/** A new address, with the password again. */
export const emailChangeSchema = z.object(
  { email, currentPassword },
  "A change of address is an object with email and currentPassword.",
);

/** The first code of a second factor, with the password again. */
export const firstCodeSchema = z.object(
  { currentPassword, code: line("code", 1, 40) },
  "A confirmation is an object with currentPassword and code.",
);

export const newPasskeySchema = z.object(
  {
    name: line("name", 1, 60),
    currentPassword,
    /** The registration response, as JSON, in the second of two requests. */
    response: z
      .string()
      .max(responseMaximum, { error: () => translator("validation")("passkeyTooLong") })
      .optional(),
  },
  "A passkey is an object with name and currentPassword.",
);

const choosePasskey = () => translator("validation")("passkey");

export const passkeyRemovalSchema = z.object(
  { currentPassword, passkey: z.coerce.number({ error: choosePasskey }).int({ error: choosePasskey }) },
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
