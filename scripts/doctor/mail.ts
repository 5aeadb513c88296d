/** Checks whether mail is set up, and its server. */
import { mailServer } from "../../lib/mail/smtp.ts";
import type { Settings } from "../../lib/settings/env.ts";
import type { SmtpServer } from "../../lib/settings/mail-settings.ts";
import { type DoctorCheck, fault, ok, warning } from "./check.ts";

/** The result leaves out the password, and addresses. */
export async function mailCheck(
  { SITE_URL }: Settings,
  server: SmtpServer | "unreadable" | undefined,
): Promise<DoctorCheck> {
  if (server === "unreadable")
    return fault(
      "mail",
      "No mail is sent: the saved mail server cannot be decrypted, since AUTH_SECRET has changed since it was saved. Enter it again on /admin/settings.",
    );
  if (!server)
    return ok(
      "mail",
      "It is not set up (on /admin/settings, or MAIL_URL and MAIL_FROM): users cannot reset a forgotten password.",
    );
  const found = await mailServer(server).check();
  if (found !== undefined)
    return fault("mail", `The mail server cannot be used (${found}): until then mails wait.`);
  if (SITE_URL === undefined)
    return warning("mail", "The server takes mail. Set SITE_URL: without it emails with links are not sent.");
  return ok("mail", "The server takes mail.");
}
