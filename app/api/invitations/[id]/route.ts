import { asAdministrator, failedFor, noContent, route, withId } from "@/lib/api/route";
import { app } from "@/lib/app";
import { withdrawInvitation } from "@/lib/users/invitations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** Takes an unused invitation back; for administrators. */
  DELETE: asAdministrator(
    withId(async ({ id, user, now }) => {
      const outcome = await withdrawInvitation(app(), { actor: user, id, now });
      return outcome.kind === "done" ? noContent() : failedFor(user, outcome);
    }),
  ),
});
