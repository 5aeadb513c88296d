import { acceptanceSchema } from "@/lib/api/accounts";
import { failed, inSession, noContent, route, withInput } from "@/lib/api/route";
import { app } from "@/lib/app";
import { acceptInvitation } from "@/lib/users/invitations";
import { validate } from "@/lib/validation";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** Makes the user a writer by an invitation. */
  POST: inSession(
    withInput(4096, async ({ session, input, now }) => {
      const checked = validate(acceptanceSchema, input);
      if (!checked.ok) return failed({ kind: "invalid", errors: checked.errors });
      const { invitation: token } = checked.value;
      const outcome = await acceptInvitation(app(), { user: session.user, token, now });
      return outcome.kind === "accepted" ? noContent() : failed({ kind: "not-open", reason: outcome.kind });
    }),
  ),
});
