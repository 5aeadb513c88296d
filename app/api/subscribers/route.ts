import { shownSubscriber, subscriberListSchema } from "@/lib/api/mails";
import { asAdministrator, failedFor, json, route, withQuery } from "@/lib/api/route";
import { app } from "@/lib/app";
import { listSubscribers } from "@/lib/mail/subscriber-list";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** One page of the subscribers to new posts; for administrators. */
  GET: asAdministrator(
    withQuery(subscriberListSchema, async ({ query, user }) => {
      const outcome = await listSubscribers(app(), { actor: user, search: query.q, after: query.cursor });
      if (outcome.kind !== "listed") return failedFor(user, outcome);
      const { subscribers, count, next } = outcome;
      return json({
        items: subscribers.map(shownSubscriber),
        count,
        nextCursor: next === null ? null : String(next),
      });
    }),
  ),
});
