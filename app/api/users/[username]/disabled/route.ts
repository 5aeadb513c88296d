import { setDisabled } from "@/lib/account-changes";
import { asUser, failedFor, json, route, withInput, withoutToken, withUsername } from "@/lib/api/route";
import { app } from "@/lib/app";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** Disables or enables a user with their ratings; for administrators, in a session. */
  PUT: withoutToken(
    asUser(
      "write",
      withInput(
        4096,
        withUsername(async ({ username, user, input, now }) => {
          const outcome = await setDisabled(app(), { actor: user, username, input, now });
          if (outcome.kind !== "done") return failedFor(user, outcome);
          return json({ username: outcome.username, ratings: outcome.ratings });
        }),
      ),
    ),
  ),
});
