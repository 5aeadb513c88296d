/** Schemas of posts in the JSON API. */
import { z } from "zod";
import { type ListedPost, type Post, sorts } from "../posts/index.ts";
import { publicScore } from "../ratings/tally/public-score.ts";
import { scoring } from "../ratings/tally/scoring-settings.ts";

const limitMaximum = 100;
const limitMessage = `Limit must be a whole number from 1 to ${limitMaximum}.`;

/** The query parameters of a list. */
export const postListSchema = z.object({
  sort: z.enum(sorts, `Sort must be one of ${sorts.join(", ")}.`).default("newest"),
  q: z.string().max(200, "Q must have at most 200 characters.").optional(),
  cursor: z.string().optional(),
  limit: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, limitMessage)
    .transform(Number)
    .refine((limit) => limit <= limitMaximum, limitMessage)
    .default(20)
    // A query parameter is text, but clients are better served by a number in the description.
    .meta({ type: "integer", pattern: undefined, minimum: 1, maximum: limitMaximum, default: 20 }),
});

const stars = z.number().min(0).max(5).nullable();
const time = z.string().meta({ format: "date-time" });
const score = z.object({
  average: stars.describe("The mean of the ratings; null when there is none."),
  settled: stars.describe("The settled score, which pages show; null when there is no rating."),
  count: z.int().min(0).describe("How many ratings there are."),
});

/** A post's score in full. */
export const scoreAnswer = score.extend({
  histogram: z.array(z.int().min(0)).length(6).describe("How many ratings of 0, 1, 2, 3, 4 and 5 stars."),
  settling: z.boolean().describe("Whether recent ratings still move the settled score."),
});

export const listedPostAnswer = z.object({
  slug: z.string(),
  title: z.string(),
  author: z.string(),
  lang: z
    .string()
    .nullable()
    .describe("The text's language (BCP 47), chosen or detected; null when it was not recognised."),
  createdAt: time,
  score,
  myScore: z.int().min(0).max(5).nullable().describe("Your own rating; null when there is none."),
});

export const postAnswer = listedPostAnswer.extend({
  content: z.string().describe("Markdown."),
  updatedAt: time,
});

export const postListAnswer = z.object({
  items: z.array(listedPostAnswer),
  nextCursor: z.string().nullable().describe("For the next page's cursor; null on the last page."),
});

export const deletedPostAnswer = z.object({ slug: z.string() });

/** A post as an item of a list. */
export function shownInList(post: ListedPost, now: number): z.infer<typeof listedPostAnswer> {
  const { slug, title, author, lang, myScore } = post;
  const { average, settled, count } = publicScore(post, now, scoring);
  const score = { average, settled, count };
  return { slug, title, author, lang, createdAt: iso(post.createdAt), score, myScore };
}

/** A post with its content. */
export function shown(
  post: Post & { content: string; myScore: number | null },
  now: number,
): z.infer<typeof postAnswer> {
  const { title, content, updatedAt } = post;
  return { ...shownInList(post, now), title, content, updatedAt: iso(updatedAt) };
}

/** The path of a post in the API. */
export function apiPath(slug: string): string {
  return `/api/posts/${encodeURIComponent(slug)}`;
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
