import { peopleListSchema, shownPerson } from "@/lib/api/people";
import {
  asAdministrator,
  failed,
  failedFor,
  json,
  route,
  withInput,
  withoutToken,
  withQuery,
} from "@/lib/api/route";
import { app } from "@/lib/app";
import { clientDevice, keepSession } from "@/lib/auth";
import { register } from "@/lib/users";
import { searchPeople } from "@/lib/users/people";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** One page of the people; for administrators. */
  GET: asAdministrator(
    withQuery(peopleListSchema, async ({ query: { q, kind, cursor }, user }) => {
      const outcome = await searchPeople(app(), user, { search: q, kind, after: cursor });
      if (outcome.kind !== "people") return failedFor(user, outcome);
      const nextCursor = outcome.next === null ? null : String(outcome.next);
      return json({ items: outcome.people.map(shownPerson), nextCursor });
    }),
  ),
  /** Creates an account and logs in, or mails the link that creates it. */
  POST: withoutToken(
    withInput(16_384, async ({ input, address, now }) => {
      const outcome = await register(app(), { input, address, now, device: await clientDevice() });
      if (outcome.kind === "confirmation-sent") return json({ confirmationSent: true }, { status: 202 });
      if (outcome.kind !== "registered") return failed(outcome);
      await keepSession(outcome);
      const { username, isPending, mustConfirmEmail } = outcome.user;
      const answer = {
        username,
        ...(isPending && { awaitsApproval: true }),
        ...(mustConfirmEmail && { mustConfirmEmail: true }),
      };
      return json(answer, { status: 201 });
    }),
  ),
});
