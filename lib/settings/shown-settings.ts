/**
 * The settings of the environment that an administrator reads on a page.
 * None of them is a secret.
 */
import type { User } from "../users/types.ts";
import type { Settings } from "./env.ts";

export type ShownSettings = Pick<
  Settings,
  | "SITE_URL"
  | "REGISTRATION_CHALLENGE"
  | "NEW_ACCOUNT_HOURS"
  | "ADMIN_SECOND_FACTOR"
  | "SESSION_IDLE_DAYS"
  | "SESSION_MAXIMUM_DAYS"
  | "RATING_FLOODS"
  | "RATING_OVERFLOW"
  | "RATING_HOLD_DAYS"
  | "SETTLED_SCORE_FIRST_RATERS"
  | "SETTLED_SCORE_UNIT_DAYS"
  | "ATTEMPTS_KEPT_DAYS"
>;

/** These settings for administrators; null for all others. */
export function shownSettings(
  settings: ShownSettings,
  { isAdministrator }: Pick<User, "isAdministrator">,
): ShownSettings | null {
  return isAdministrator ? settings : null;
}
