import { deliveryListSchema, shownDelivery } from "@/lib/api/administration";
import { asAdministrator, failedFor, json, route, withId, withQuery } from "@/lib/api/route";
import { app } from "@/lib/app";
import { listDeliveries } from "@/lib/webhooks/deliveries";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** One page of the deliveries of a webhook; for administrators. */
  GET: asAdministrator(
    withId(
      withQuery(deliveryListSchema, async ({ id, query, user }) => {
        const { cursor: before, limit } = query;
        const outcome = await listDeliveries(app(), user, { id, before, limit });
        if (outcome.kind !== "deliveries") return failedFor(user, outcome);
        const { deliveries, next } = outcome;
        return json({
          items: deliveries.map(shownDelivery),
          nextCursor: next === null ? null : String(next),
        });
      }),
    ),
  ),
});
