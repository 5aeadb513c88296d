import { movedPost } from "@/lib/api/moved-post";
import { asUser, failed, type Handler, json, noContent, route, withInput, withSlug } from "@/lib/api/route";
import { app } from "@/lib/app";
import { readPost } from "@/lib/posts";
import { createRating, updateRating, withdrawRating } from "@/lib/ratings";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** The user's own rating. */
  GET: withSlug(
    asUser("read", async ({ slug, user }) => {
      const post = await readPost(app(), slug, user);
      if (!post) return movedPost(slug, user, "/rating");
      return post.myScore === null ? failed({ kind: "not-rated" }) : json({ score: post.myScore });
    }),
  ),
  POST: rating(createRating, 201),
  PUT: rating(updateRating, 200),
  DELETE: withSlug(
    asUser("rate", async ({ slug, user, now }) => {
      const outcome = await withdrawRating(app(), { slug, userId: user.id, now });
      return outcome.kind === "withdrawn" ? noContent() : failed(outcome);
    }),
  ),
});

function rating(rate: typeof createRating, status: number): Handler {
  return withSlug(
    asUser(
      "rate",
      withInput(4096, async ({ slug, user, input, address, now }) => {
        const outcome = await rate(app(), { slug, user, address, input, now });
        if (outcome.kind === "saved") return json({ score: outcome.score }, { status });
        if (outcome.kind === "held") return json({ score: outcome.score, held: true }, { status });
        if (outcome.kind === "waiting")
          return json(
            { score: outcome.score, countsFrom: new Date(outcome.countsFrom).toISOString() },
            { status },
          );
        return failed(outcome);
      }),
    ),
  );
}
