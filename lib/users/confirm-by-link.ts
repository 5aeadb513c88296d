/** Confirmations of an address with the token of a link of any kind. */
import type { Locale } from "../i18n/locale.ts";
import type { Refused } from "../limits/types.ts";
import { confirmEmail } from "../mail/confirm-email.ts";
import { confirmEmailChange } from "./change-email.ts";
import { confirmRegistration, nameToConfirm } from "./confirm-registration.ts";
import type { NotOpen, Taken } from "./new-account.ts";
import type { RegistrationContext } from "./register.ts";

/** The address of an account, its new address, or that of a registration. */
export const confirmationKinds = ["address", "new-address", "registration"] as const;

type ConfirmationOutcome =
  | {
      kind: "confirmed";
      confirmed: (typeof confirmationKinds)[number];
      /** Set when the new account waits for an administrator's approval. */
      awaitsApproval?: true;
    }
  | { kind: "expired" }
  | Taken
  | NotOpen
  | Refused;

/** Confirms an address as the page of the token's link does, once. */
export async function confirmByLink(
  context: RegistrationContext,
  { token, address, locale, now }: { token: string; address: string; locale: Locale; now: number },
): Promise<ConfirmationOutcome> {
  if (await confirmEmail(context, token, now)) return { kind: "confirmed", confirmed: "address" };
  const changed = await confirmEmailChange(context, token, now, locale);
  if (changed.kind === "changed") return { kind: "confirmed", confirmed: "new-address" };
  if (changed.kind === "unavailable") return changed;
  const outcome = await confirmRegistration(context, { token, address, now });
  switch (outcome.kind) {
    case "registered":
      return {
        kind: "confirmed",
        confirmed: "registration",
        ...(outcome.user.isPending && { awaitsApproval: true }),
      };
    case "taken":
      // The address has an account by now: the registration is over, as on the page.
      return outcome.errors.email ? { kind: "expired" } : outcome;
    case "not-open":
      // A closed site gives this answer for any token.
      return (await nameToConfirm(context, token, now)) === undefined ? { kind: "expired" } : outcome;
    default:
      return outcome;
  }
}
