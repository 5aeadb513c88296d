import { asAdministrator, failedFor, noContent, route, withId } from "@/lib/api/route";
import { app } from "@/lib/app";
import { removeSubscriber } from "@/lib/mail/subscriber-list";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** Removes a subscriber; for administrators. */
  DELETE: asAdministrator(
    withId(async ({ id, user, now }) => {
      const outcome = await removeSubscriber(app(), { actor: user, id, now });
      return outcome.kind === "removed" ? noContent() : failedFor(user, outcome);
    }),
  ),
});
