import { asAdministrator, failedFor, json, route, withId } from "@/lib/api/route";
import { app } from "@/lib/app";
import { renewWebhookSecret } from "@/lib/webhooks/manage";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** Gives a webhook a new secret; for administrators. */
  POST: asAdministrator(
    withId(async ({ id, user, now }) => {
      const outcome = await renewWebhookSecret(app(), { actor: user, id, now });
      if (outcome.kind !== "renewed") return failedFor(user, outcome);
      return json({ id, secret: outcome.secret }, { status: 201 });
    }),
  ),
});
