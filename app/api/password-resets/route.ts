import { mailLocale } from "@/lib/api/mail-locale";
import { failed, noContent, route, withInput, withoutToken } from "@/lib/api/route";
import { app } from "@/lib/app";
import { requestPasswordReset } from "@/lib/users/password-reset";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** Requests a link to set a new password; the same answer for each address. */
  POST: withoutToken(
    withInput(4096, async ({ request, input, address, now }) => {
      const outcome = await requestPasswordReset(app(), { input, address, locale: mailLocale(request), now });
      return outcome.kind === "requested" ? noContent() : failed(outcome);
    }),
  ),
});
