import { setDisabled } from "@/lib/account-changes";
import { asUser, failed, failedFor, json, route, withInput, withoutToken } from "@/lib/api/route";
import { app } from "@/lib/app";
import { textFromPath } from "@/lib/paths";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** Disables or enables a user with their ratings; for administrators, in a session. */
  PUT: withoutToken(
    asUser(
      "write",
      withInput(4096, async ({ params, user, input, now }) => {
        const username = textFromPath(String(params.username));
        if (username === null) return failed({ kind: "no-such-user" });
        const outcome = await setDisabled(app(), { actor: user, username, input, now });
        if (outcome.kind !== "done") return failedFor(user, outcome);
        return json({ username: outcome.username, ratings: outcome.ratings });
      }),
    ),
  ),
});
