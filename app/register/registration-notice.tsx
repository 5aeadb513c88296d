import { translator } from "@/lib/i18n";

interface RegistrationNoticeProps {
  mode: "open" | "approval" | "invitation" | "closed";
  /**
   * The invitation in the page's address.
   * None, one that can be used, one that cannot.
   */
  invitation: "none" | "open" | "bad";
}

/** The site's registration rules, for a visitor before registering. */
export function RegistrationNotice({ mode, invitation }: RegistrationNoticeProps) {
  return <p className="mt-4 text-quiet">{noticeText(mode, invitation)}</p>;
}

function noticeText(mode: RegistrationNoticeProps["mode"], invitation: string): string {
  const t = translator("register");
  if (mode === "closed") return t("rules.closed");
  if (mode === "open") return t("intro");
  if (invitation === "open") return t("rules.invited");
  if (invitation === "bad") return t("notOpen.bad-invitation");
  return mode === "approval" ? t("rules.approval") : t("rules.invitationOnly");
}
