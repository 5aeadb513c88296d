import { invitationListSchema, shownInvitation } from "@/lib/api/administration";
import { asAdministrator, failed, failedFor, json, route, withInput } from "@/lib/api/route";
import { app } from "@/lib/app";
import { invite, listInvitations } from "@/lib/users/invitations";
import { validate } from "@/lib/validation";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** One page of the invitations; for administrators. */
  GET: asAdministrator(async ({ request, now }) => {
    const query = validate(invitationListSchema, Object.fromEntries(new URL(request.url).searchParams));
    if (!query.ok) return failed({ kind: "invalid", errors: query.errors });
    const { invitations, page, pages } = await listInvitations(app(), now, query.value.page);
    return json({ items: invitations.map(shownInvitation), page, pages });
  }),
  /** Makes an invitation; for administrators. */
  POST: asAdministrator(
    withInput(4096, async ({ user, input, now }) => {
      const outcome = await invite(app(), { actor: user, input, now });
      if (outcome.kind !== "invited") return failedFor(user, outcome);
      return json({ id: outcome.id, token: outcome.token }, { status: 201 });
    }),
  ),
});
