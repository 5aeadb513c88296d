import { linkPasswordSchema } from "@/lib/api/links";
import { mailLocale } from "@/lib/api/mail-locale";
import { failed, noContent, route, withInput, withoutToken } from "@/lib/api/route";
import { app } from "@/lib/app";
import { restoreEmail } from "@/lib/users/restore-email";
import { validate } from "@/lib/validation";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** Restores an account's former address with the link in the notice of the change. */
  POST: withoutToken(
    withInput(4096, async ({ request, input, address, now }) => {
      const checked = validate(linkPasswordSchema, input);
      if (!checked.ok) return failed({ kind: "invalid", errors: checked.errors });
      const { token } = checked.value;
      const outcome = await restoreEmail(app(), { token, input, address, locale: mailLocale(request), now });
      switch (outcome.kind) {
        case "restored":
          return noContent();
        case "taken":
          return failed({ kind: "taken", errors: { token: ["Another account has this address by now."] } });
        default:
          return failed(outcome);
      }
    }),
  ),
});
