import { asAdministrator, failedFor, noContent, route, withId } from "@/lib/api/route";
import { app } from "@/lib/app";
import { testWebhook } from "@/lib/webhooks/manage";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** Queues a test for a webhook; for administrators. */
  POST: asAdministrator(
    withId(async ({ id, user, now }) => {
      const outcome = await testWebhook(app(), { actor: user, id, now });
      return outcome.kind === "done" ? noContent() : failedFor(user, outcome);
    }),
  ),
});
