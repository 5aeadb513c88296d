import { challengeQuerySchema } from "@/lib/api/accounts";
import { json, route, withoutToken, withQuery } from "@/lib/api/route";
import { app } from "@/lib/app";
import { subscriptionChallenge } from "@/lib/mail/subscriptions";
import { registrationChallenge } from "@/lib/users";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** Issues a challenge for a registration or a subscription. */
  GET: withoutToken(
    withQuery(challengeQuerySchema, async ({ query, now }) => {
      const issue = query.for === "registration" ? registrationChallenge : subscriptionChallenge;
      return json({ challenge: await issue(app(), now) });
    }),
  ),
});
