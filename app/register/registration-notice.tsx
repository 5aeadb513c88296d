import { translator } from "@/lib/i18n";
import type { WhoMayWrite } from "@/lib/site/schema";

interface RegistrationNoticeProps {
  /** Whether there is no account yet. */
  isFirst: boolean;
  mode: "open" | "approval" | "invitation" | "closed";
  /**
   * The invitation in the page's address.
   * None, one that can be used, one that lets the person write too, one that cannot be used.
   */
  invitation: "none" | "open" | "to-write" | "bad";
  whoMayWrite: WhoMayWrite;
}

/** The site's registration rules, for a visitor before registering. */
export function RegistrationNotice(props: RegistrationNoticeProps) {
  return <p className="mt-4 text-quiet">{noticeText(props)}</p>;
}

function noticeText({ isFirst, mode, invitation, whoMayWrite }: RegistrationNoticeProps): string {
  const t = translator("register");
  if (mode === "closed") return t("rules.closed");
  if (isFirst && mode !== "invitation") return t("introForFirst");
  if (invitation === "to-write") return t("rules.invitedToWrite");
  if (mode === "open" && invitation === "bad") return t("rules.badInvitation");
  if (mode === "open") return whoMayWrite === "anyone" ? t("intro") : t("introForReaders");
  if (invitation === "open") return t("rules.invited");
  if (invitation === "bad") return t("notOpen.bad-invitation");
  return mode === "approval" ? t("rules.approval") : t("rules.invitationOnly");
}
