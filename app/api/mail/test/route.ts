import { mailLocale } from "@/lib/api/mail-locale";
import { shownTestMail } from "@/lib/api/mails";
import { asAdministrator, failedFor, json, noContent, route } from "@/lib/api/route";
import { app } from "@/lib/app";
import { lastTestMail, requestTestMail } from "@/lib/mail/test-mail";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** The result of the administrator's last test email. */
  GET: asAdministrator(async ({ user }) => json(shownTestMail(await lastTestMail(app(), user)))),
  /** Queues a test email to the administrator's own address. */
  POST: asAdministrator(async ({ request, user, now }) => {
    const outcome = await requestTestMail(app(), { actor: user, locale: mailLocale(request), now });
    return outcome.kind === "queued" ? noContent() : failedFor(user, outcome);
  }),
});
