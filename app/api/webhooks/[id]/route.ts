import { asAdministrator, failedFor, json, noContent, route, withId, withInput } from "@/lib/api/route";
import { app } from "@/lib/app";
import { changeWebhook, removeWebhook } from "@/lib/webhooks/manage";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** Changes a webhook, or turns it on or off; for administrators. */
  PATCH: asAdministrator(
    withInput(
      4096,
      withId(async ({ id, user, input, now }) => {
        const outcome = await changeWebhook(app(), { actor: user, id, input, now });
        return outcome.kind === "done" ? json({ id }) : failedFor(user, outcome);
      }),
    ),
  ),
  /** Removes a webhook; for administrators. */
  DELETE: asAdministrator(
    withId(async ({ id, user, now }) => {
      const outcome = await removeWebhook(app(), { actor: user, id, now });
      return outcome.kind === "done" ? noContent() : failedFor(user, outcome);
    }),
  ),
});
