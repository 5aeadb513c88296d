import { notConfirmed } from "@/lib/api/confirmation";
import { shownPerson } from "@/lib/api/people";
import { asAdministrator, failed, failedFor, json, route, withInput, withUsername } from "@/lib/api/route";
import { app } from "@/lib/app";
import { getSession } from "@/lib/auth";
import { changeRole, changeRoleInSession, personNamed } from "@/lib/users/people";

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
      withUsername(async ({ username, user, token, input, address, now }) => {
        const session = token ? null : await getSession();
        const outcome = session
          ? await changeRoleInSession(app(), { session, address, username, input, now })
          : await changeRole(app(), { actor: user, username, input, now });
        switch (outcome.kind) {
          case "done":
            return json({ username: outcome.username, role: outcome.role });
          case "password-required":
            // Without a token the session has ended meanwhile.
            return failed({ kind: token ? "not-by-token" : "not-logged-in" });
          case "wrong":
          case "session-ended":
            return notConfirmed(outcome);
          default:
            return failedFor(user, outcome);
        }
      }),
    ),
  ),
});
