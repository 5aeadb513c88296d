import { notConfirmed } from "@/lib/api/confirmation";
import { mailLocale } from "@/lib/api/mail-locale";
import { failed, inSession, json, noContent, route, withInput } from "@/lib/api/route";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { chosenMailsOf } from "@/lib/mail/choices";
import { cancelEmailChange, pendingEmail, requestEmailChange } from "@/lib/users/change-email";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** The account's address, and the one that waits for its link to be opened. */
  GET: inSession(async ({ session, now }) => {
    const { id } = session.user;
    const mails = await chosenMailsOf(app(), id);
    if (!mails) return failed({ kind: "not-logged-in" });
    const pending = (await pendingEmail(app(), id, now)) ?? null;
    return json({ email: mails.email, confirmed: mails.isConfirmed, pending });
  }),
  /** Mails a link to a new address; the user sends the password again. */
  POST: inSession(
    withInput(4096, async ({ request, session, input, address, now }) => {
      const change = { session, input, address, locale: mailLocale(request), now };
      const outcome = await requestEmailChange(app(), change);
      switch (outcome.kind) {
        case "requested":
          return noContent();
        case "same":
          return failed({ kind: "invalid", errors: { email: [translator("emails")("change.same")] } });
        case "no-mail":
          return failed(outcome);
        default:
          return notConfirmed(outcome);
      }
    }),
  ),
  /** Keeps the account's address. */
  DELETE: inSession(async ({ session }) => {
    await cancelEmailChange(app(), session.user.id);
    return noContent();
  }),
});
