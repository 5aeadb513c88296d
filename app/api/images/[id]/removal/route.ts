import { asAdministrator, failedFor, json, route, withId, withInput } from "@/lib/api/route";
import { app } from "@/lib/app";
import { removeAnyImage } from "@/lib/media/administration";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** Removes a user's image, with a reason; for administrators. */
  POST: asAdministrator(
    withInput(
      4096,
      withId(async ({ id, user, input, now }) => {
        const outcome = await removeAnyImage(app(), { actor: user, id, input, now });
        return outcome.kind === "removed"
          ? json({ id, username: outcome.username })
          : failedFor(user, outcome);
      }),
    ),
  ),
});
