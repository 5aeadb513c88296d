import { linkTokenSchema } from "@/lib/api/links";
import { failed, noContent, route, withInput, withoutToken } from "@/lib/api/route";
import { app } from "@/lib/app";
import { confirmSubscription } from "@/lib/mail/subscriptions";
import { validate } from "@/lib/validation";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** Subscribes the address of the link in an email. */
  POST: withoutToken(
    withInput(4096, async ({ input, now }) => {
      const checked = validate(linkTokenSchema, input);
      if (!checked.ok) return failed({ kind: "invalid", errors: checked.errors });
      const isConfirmed = await confirmSubscription(app(), checked.value.token, now);
      return isConfirmed ? noContent() : failed({ kind: "expired" });
    }),
  ),
});
