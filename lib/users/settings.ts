/** The settings of registration that only the environment sets. */
import { challengeSecret } from "../challenge/index.ts";
import { durationMs } from "../settings/durations.ts";
import type { Settings } from "../settings/env.ts";
import { networkSecretFrom } from "./approvals.ts";
import type { RegistrationSettings } from "./register.ts";

/**
 * `authSecret` gives this installation's secret.
 * It is read when it is needed first.
 */
export function registrationFrom(
  settings: Settings,
  authSecret: () => string,
): Omit<RegistrationSettings, "mode"> {
  return {
    networkSecret: () => networkSecretFrom(authSecret()),
    challenge:
      settings.REGISTRATION_CHALLENGE === "off"
        ? null
        : {
            secret: challengeSecret(authSecret()),
            cost: settings.REGISTRATION_CHALLENGE_COST,
            waitMs: durationMs(settings.REGISTRATION_WAIT_SECONDS, "seconds"),
          },
  };
}
