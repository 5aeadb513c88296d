import { mailLocale } from "@/lib/api/mail-locale";
import { mailChoicesSchema, shownChoices } from "@/lib/api/mails";
import { asUser, failed, inSession, json, route, withInput } from "@/lib/api/route";
import { app } from "@/lib/app";
import { chooseMails, chosenMailsOf, mailChoices } from "@/lib/mail/choices";
import { validate } from "@/lib/validation";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** The emails that the account gets; no token learns its address. */
  GET: asUser("read", ({ user, token }) => showChoices(user.id, !token)),
  /** Chooses the emails that the account gets. */
  PUT: inSession(
    withInput(4096, async ({ request, session, input, now }) => {
      const checked = validate(mailChoicesSchema, input);
      if (!checked.ok) return failed({ kind: "invalid", errors: checked.errors });
      const { user } = session;
      const chosen = new Set(mailChoices.filter((choice) => checked.value[choice]));
      const outcome = await chooseMails(app(), { userId: user.id, chosen, locale: mailLocale(request), now });
      return outcome.kind === "saved" ? showChoices(user.id, true) : failed(outcome);
    }),
  ),
});

async function showChoices(userId: number, withAddress: boolean): Promise<Response> {
  const mails = await chosenMailsOf(app(), userId);
  if (!mails) return failed({ kind: "not-logged-in" });
  const { email, ...choices } = shownChoices(mails);
  return json(withAddress ? { ...choices, email } : choices);
}
