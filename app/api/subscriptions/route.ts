import { mailLocale } from "@/lib/api/mail-locale";
import { failed, noContent, route, withInput, withoutToken } from "@/lib/api/route";
import { app } from "@/lib/app";
import { requestSubscription } from "@/lib/mail/subscriptions";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** Mails the link that subscribes an address; the same answer for each. */
  POST: withoutToken(
    withInput(16_384, async ({ request, input, address, now }) => {
      const outcome = await requestSubscription(app(), { input, address, locale: mailLocale(request), now });
      return outcome.kind === "requested" ? noContent() : failed(outcome);
    }),
  ),
});
