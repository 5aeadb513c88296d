import { linkPasswordSchema } from "@/lib/api/links";
import { mailLocale } from "@/lib/api/mail-locale";
import { failed, noContent, route, withInput, withoutToken } from "@/lib/api/route";
import { app } from "@/lib/app";
import { requestPasswordReset, resetForgottenPassword } from "@/lib/users/password-reset";
import { validate } from "@/lib/validation";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** Requests a link to set a new password; the same answer for each address. */
  POST: withoutToken(
    withInput(4096, async ({ request, input, address, now }) => {
      const outcome = await requestPasswordReset(app(), { input, address, locale: mailLocale(request), now });
      return outcome.kind === "requested" ? noContent() : failed(outcome);
    }),
  ),
  /**
   * Sets a new password with the token of the link.
   * The token is in the body, because paths are in logs.
   */
  PUT: withoutToken(
    withInput(4096, async ({ request, input, address, now }) => {
      const checked = validate(linkPasswordSchema, input);
      if (!checked.ok) return failed({ kind: "invalid", errors: checked.errors });
      const reset = { token: checked.value.token, input, address, locale: mailLocale(request), now };
      const outcome = await resetForgottenPassword(app(), reset);
      return outcome.kind === "reset" ? noContent() : failed(outcome);
    }),
  ),
});
