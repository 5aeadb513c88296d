import { asAdministrator, failedFor, json, route, withInput, withUsername } from "@/lib/api/route";
import { app } from "@/lib/app";
import { changeRole } from "@/lib/users/people";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
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
