import { linkTokenSchema } from "@/lib/api/links";
import { mailLocale } from "@/lib/api/mail-locale";
import { failed, json, route, withInput, withoutToken } from "@/lib/api/route";
import { app } from "@/lib/app";
import { confirmByLink } from "@/lib/users/confirm-by-link";
import { validate } from "@/lib/validation";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** Confirms an address with the token of the link in an email. */
  POST: withoutToken(
    withInput(4096, async ({ request, input, address, now }) => {
      const checked = validate(linkTokenSchema, input);
      if (!checked.ok) return failed({ kind: "invalid", errors: checked.errors });
      const link = { ...checked.value, address, locale: mailLocale(request), now };
      const outcome = await confirmByLink(app(), link);
      if (outcome.kind !== "confirmed") return failed(outcome);
      const { kind: _, ...confirmed } = outcome;
      return json(confirmed);
    }),
  ),
});
