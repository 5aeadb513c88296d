import { invitationListSchema, shownInvitation } from "@/lib/api/administration";
import { asAdministrator, failedFor, json, route, withInput, withQuery } from "@/lib/api/route";
import { app } from "@/lib/app";
import { invite, listInvitations } from "@/lib/users/invitations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** One page of the invitations; for administrators. */
  GET: asAdministrator(
    withQuery(invitationListSchema, async ({ query, now }) => {
      const { invitations, page, pages } = await listInvitations(app(), now, query.page);
      return json({ items: invitations.map(shownInvitation), page, pages });
    }),
  ),
  /** Makes an invitation; for administrators. */
  POST: asAdministrator(
    withInput(4096, async ({ user, input, now }) => {
      const outcome = await invite(app(), { actor: user, input, now });
      if (outcome.kind !== "invited") return failedFor(user, outcome);
      return json({ id: outcome.id, token: outcome.token }, { status: 201 });
    }),
  ),
});
