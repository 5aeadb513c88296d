import { shownWebhook } from "@/lib/api/administration";
import { asAdministrator, failedFor, json, route, withInput } from "@/lib/api/route";
import { app } from "@/lib/app";
import { addWebhook, listWebhooks } from "@/lib/webhooks/manage";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** The webhooks; for administrators. */
  GET: asAdministrator(async ({ user }) =>
    json({ items: (await listWebhooks(app(), user)).map(shownWebhook) }),
  ),
  /** Adds a webhook; for administrators. */
  POST: asAdministrator(
    withInput(4096, async ({ user, input, now }) => {
      const outcome = await addWebhook(app(), { actor: user, input, now });
      if (outcome.kind !== "added") return failedFor(user, outcome);
      return json({ id: outcome.id, secret: outcome.secret }, { status: 201 });
    }),
  ),
});
