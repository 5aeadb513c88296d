/** Checks whether mail is set up, and its server. */
import { mailServer } from "../../lib/mail/smtp.ts";
import type { Settings } from "../../lib/settings/env.ts";
import { smtpServerFrom } from "../../lib/settings/mail-settings.ts";
import { type DoctorCheck, fault, ok, warning } from "./check.ts";

/** The result leaves out the password, and addresses. */
export async function mailCheck({ MAIL_URL, SITE_URL }: Settings): Promise<DoctorCheck> {
  const server = MAIL_URL === undefined ? undefined : smtpServerFrom(MAIL_URL);
  if (!server)
    return ok("mail", "It is not set up (MAIL_URL, MAIL_FROM): users cannot reset a forgotten password.");
  const found = await mailServer(server).check();
  if (found !== undefined)
    return fault("mail", `The server at MAIL_URL cannot be used (${found}): until then mails wait.`);
  if (SITE_URL === undefined)
    return warning("mail", "The server takes mail. Set SITE_URL: without it emails with links are not sent.");
  return ok("mail", "The server takes mail.");
}
