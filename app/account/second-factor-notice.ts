import { signedNotice } from "@/lib/auth/notice";
import { currentTime } from "@/lib/time/current-time";
import type { User } from "@/lib/users";

export const secondFactorNotices = ["app", "added", "removed", "off"] as const;
export type SecondFactorNotice = (typeof secondFactorNotices)[number];

/** The account page at two-step verification, with a notice about the action. */
export function secondFactorPath(notice: SecondFactorNotice, reader: User): string {
  return `/account?steps=${signedNotice(notice, { about: "steps", reader, now: currentTime() })}#two-steps`;
}
