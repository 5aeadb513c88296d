import { asAdministrator, failedFor, noContent, route, withId } from "@/lib/api/route";
import { app } from "@/lib/app";
import { retryDeliveries } from "@/lib/webhooks/manage";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** Sends the queued deliveries of a webhook now; for administrators. */
  POST: asAdministrator(
    withId(async ({ id, user, now }) => {
      const outcome = await retryDeliveries(app(), { actor: user, id, now });
      return outcome.kind === "done" ? noContent() : failedFor(user, outcome);
    }),
  ),
});
