/** Schemas of a user's own ratings in the JSON API. */
import { z } from "zod";
import type { RatedPost } from "../ratings/own-ratings.ts";

export const ratingAnswer = z.object({ score: z.int().min(0).max(5) });

export const savedRatingAnswer = ratingAnswer.extend({
  held: z
    .literal(true)
    .optional()
    .describe("There when the rating was saved in a flood window that does not count."),
  countsFrom: z.iso
    .datetime()
    .optional()
    .describe("There when the account is new: from then on the rating counts."),
});

const ratedPostAnswer = z.object({
  slug: z.string(),
  title: z.string(),
  author: z.string(),
  lang: z.string().nullable().describe("The text's language (BCP 47); null when it was not recognised."),
  score: z.int().min(0).max(5).describe("Your rating."),
  ratedAt: z.iso.datetime(),
  state: z
    .enum(["counted", "held", "excluded", "waiting"])
    .describe(
      "`held`: it is in a flood window that waits for a decision; `excluded`: in one that does not count; `waiting`: the account is new.",
    ),
  countsFrom: z.iso.datetime().nullable().describe("When a waiting rating counts; null for others."),
});

export const ratedPostListAnswer = z.object({
  items: z.array(ratedPostAnswer).describe("The latest rating first."),
  nextCursor: z.string().nullable().describe("For the next page's cursor; null on the last page."),
});

/** A post that the user has rated. */
export function shownRatedPost(post: RatedPost): z.infer<typeof ratedPostAnswer> {
  const { slug, title, author, lang, score, at, countsFrom } = post;
  return {
    ...{ slug, title, author, lang, score },
    ratedAt: new Date(at).toISOString(),
    state: stateOf(post),
    countsFrom: countsFrom === null ? null : new Date(countsFrom).toISOString(),
  };
}

function stateOf({ status, countsFrom }: RatedPost): z.infer<typeof ratedPostAnswer>["state"] {
  if (countsFrom !== null) return "waiting";
  return status === "held" || status === "excluded" ? status : "counted";
}
