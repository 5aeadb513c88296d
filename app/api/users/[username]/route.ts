import { shownPerson } from "@/lib/api/people";
import { asAdministrator, failedFor, json, route, withInput, withUsername } from "@/lib/api/route";
import { app } from "@/lib/app";
import { changeRole, personNamed } from "@/lib/users/people";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** A user with role and status; for administrators. */
  GET: asAdministrator(
    withUsername(async ({ username, user, now }) => {
      const outcome = await personNamed(app(), { actor: user, username, now });
      return outcome.kind === "person" ? json(shownPerson(outcome.person)) : failedFor(user, outcome);
    }),
  ),
  /** Gives a user another role; for administrators. */
  PATCH: asAdministrator(
    withInput(
      4096,
      withUsername(async ({ username, user, input, now }) => {
        const outcome = await changeRole(app(), { actor: user, username, input, now });
        return outcome.kind === "done"
          ? json({ username: outcome.username, role: outcome.role })
          : failedFor(user, outcome);
      }),
    ),
  ),
});
