import { asAdministrator, failedFor, noContent, route, withId } from "@/lib/api/route";
import { app } from "@/lib/app";
import { retryDeliveries } from "@/lib/webhooks/manage";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** Lets what waits for a webhook be sent now; for administrators. */
  POST: asAdministrator(
    withId(async ({ id, user, now }) => {
      const outcome = await retryDeliveries(app(), { actor: user, id, now });
      return outcome.kind === "done" ? noContent() : failedFor(user, outcome);
    }),
  ),
});
