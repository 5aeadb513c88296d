/** The settings that an administrator reads on a page: none of them is a secret. */
import type { User } from "../users/types.ts";
import type { Settings } from "./env.ts";

export type SiteSettings = Pick<
  Settings,
  | "SITE_URL"
  | "SITE_LANGUAGE"
  | "MAIL_FROM"
  | "REGISTRATION"
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

/** The site's settings for administrators; null for all others. */
export function siteSettings(
  settings: SiteSettings,
  { isAdministrator }: Pick<User, "isAdministrator">,
): SiteSettings | null {
  return isAdministrator ? settings : null;
}
