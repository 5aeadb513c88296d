import { linkTokenSchema } from "@/lib/api/links";
import { failed, noContent, route, withInput, withoutToken } from "@/lib/api/route";
import { app } from "@/lib/app";
import { unsubscribe } from "@/lib/mail/unsubscribe";
import { validate } from "@/lib/validation";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** Ends the emails of the link at the foot of one; the same answer for each token. */
  POST: withoutToken(
    withInput(4096, async ({ input }) => {
      const checked = validate(linkTokenSchema, input);
      if (!checked.ok) return failed({ kind: "invalid", errors: checked.errors });
      await unsubscribe(app(), checked.value.token);
      return noContent();
    }),
  ),
});
