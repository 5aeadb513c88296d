import { app } from "@/lib/app";
import { changeSelected } from "@/lib/disabling";
import { bodyMaximumBytes } from "@/lib/http/json-body";
import { asUser, failed, json, route, withInput, withoutToken } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /**
   * Disables or enables many users with their ratings, or counts the effect.
   * For administrators, in a session.
   */
  POST: withoutToken(
    asUser(
      "write",
      withInput(bodyMaximumBytes, async ({ user, input, now }) => {
        const outcome = await changeSelected(app(), { actor: user, input, now });
        if (outcome.kind !== "done") return failed(outcome);
        const { kind: _kind, ...changed } = outcome;
        return json(changed);
      }),
    ),
  ),
});
