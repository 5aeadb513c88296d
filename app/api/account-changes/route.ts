import { changeSelected, latestChanges } from "@/lib/account-changes";
import { changeListSchema, shownChange } from "@/lib/api/accounts";
import {
  asAdministrator,
  asUser,
  failedFor,
  json,
  route,
  withInput,
  withoutToken,
  withQuery,
} from "@/lib/api/route";
import { app } from "@/lib/app";
import { bodyMaximumBytes } from "@/lib/http/json-body";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** Changes on record, and progress of recalculated scores; for administrators. */
  GET: asAdministrator(
    withQuery(changeListSchema, async ({ query, user }) => {
      const { changes, hasOlder } = await latestChanges(app(), user, query.cursor);
      const { posts, ratings, replayed } = await app().database.replays.progress();
      return json({
        items: changes.map(shownChange),
        nextCursor: hasOlder ? String(changes.at(-1)?.id) : null,
        replays: { posts, ratings, replayed: Math.min(replayed, ratings) },
      });
    }),
  ),
  /**
   * Disables or enables many users with their ratings, or counts the effect.
   * For administrators, in a session.
   */
  POST: withoutToken(
    asUser(
      "write",
      withInput(bodyMaximumBytes, async ({ user, input, now }) => {
        const outcome = await changeSelected(app(), { actor: user, input, now });
        if (outcome.kind !== "done") return failedFor(user, outcome);
        const { kind: _kind, ...changed } = outcome;
        return json(changed);
      }),
    ),
  ),
});
