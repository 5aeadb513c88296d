/** Whether an account may rate, apart from limits. */
import type { Refused } from "../limits/types.ts";
import type { EmailVerification } from "../site/schema.ts";
import type { User } from "./types.ts";

interface ParticipationSettings {
  emailVerification?: EmailVerification | undefined;
}

/** Whether a user must confirm their address before they may rate. */
export function mustConfirmEmail(
  { emailVerification = "off" }: ParticipationSettings,
  user: Pick<User, "mustConfirmEmail">,
): boolean {
  return emailVerification !== "off" && user.mustConfirmEmail === true;
}

/** Why a user may not rate; undefined when they may. */
export function ratingDenial(
  settings: ParticipationSettings,
  user: Pick<User, "isPending" | "mustConfirmEmail">,
): Refused | undefined {
  if (user.isPending) return { kind: "denied", isPending: true };
  if (mustConfirmEmail(settings, user)) return { kind: "denied", isUnconfirmed: true };
  return undefined;
}
