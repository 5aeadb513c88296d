import { changeSelected, latestChanges } from "@/lib/account-changes";
import { changeListSchema, shownChange } from "@/lib/api/accounts";
import { asUser, failed, failedFor, json, route, withInput, withoutToken } from "@/lib/api/route";
import { app } from "@/lib/app";
import { bodyMaximumBytes } from "@/lib/http/json-body";
import { validate } from "@/lib/validation";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /**
   * One page of the changes on record, and the progress of recalculated scores.
   * For administrators, in a session.
   */
  GET: withoutToken(
    asUser("read", async ({ request, user }) => {
      if (!user.isAdministrator) return failedFor(user, { kind: "forbidden" });
      const query = validate(changeListSchema, Object.fromEntries(new URL(request.url).searchParams));
      if (!query.ok) return failed({ kind: "invalid", errors: query.errors });
      const { changes, hasOlder } = await latestChanges(app(), user, query.value.cursor);
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
