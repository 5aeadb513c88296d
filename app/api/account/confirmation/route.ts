import { mailLocale } from "@/lib/api/mail-locale";
import { failed, inSession, json, route } from "@/lib/api/route";
import { app } from "@/lib/app";
import { requestConfirmation } from "@/lib/mail/confirm-email";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** Mails the link that confirms the account's address. */
  POST: inSession(async ({ request, session, now }) => {
    const sending = { userId: session.user.id, locale: mailLocale(request), now };
    const outcome = await requestConfirmation(app(), sending);
    if (outcome.kind === "link-sent" || outcome.kind === "confirmed-before")
      return json({ linkSent: outcome.kind === "link-sent" });
    return failed(outcome);
  }),
});
