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
  const text = noticeText(mode, invitation);
  return text && <p className="mt-4 text-quiet">{text}</p>;
}

function noticeText(mode: RegistrationNoticeProps["mode"], invitation: string): string | undefined {
  if (mode === "closed")
    return "This site takes no new accounts at the moment. You can read everything without one.";
  if (mode === "open") return undefined;
  if (invitation === "open")
    return "You are invited: your account can be used at once. The invitation is for one account only.";
  if (invitation === "bad")
    return "This invitation was used before, or has expired. Ask the person who sent it for a new one.";
  return mode === "approval"
    ? "You can log in at once. You can rate and write as soon as an administrator of this site has approved your account."
    : "You need an invitation to create an account here: a link to this page, from an administrator of this site. You can read everything without an account.";
}
