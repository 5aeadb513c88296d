/** Posts as the API takes and shows them. */
import { z } from "zod";
import { type ListedPost, type Post, sorts } from "../posts/index.ts";
import { publicScore } from "../ratings/public-score.ts";
import { scoring } from "../scoring.ts";

const limitMaximum = 100;
const limitMessage = `Limit must be a whole number from 1 to ${limitMaximum}.`;

/** The query of a list. */
export const postListSchema = z.object({
  sort: z.enum(sorts, `Sort must be one of ${sorts.join(", ")}.`).default("newest"),
  q: z.string().max(200, "Q must have at most 200 characters.").optional(),
  cursor: z.string().optional(),
  limit: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, limitMessage)
    .transform(Number)
    .refine((limit) => limit <= limitMaximum, limitMessage)
    .default(20),
});

/** A post in a list. */
export function shownInList(post: ListedPost, now: number) {
  const { slug, title, author, myScore } = post;
  const { average, settled, count } = publicScore(post, now, scoring);
  const score = { average, settled, count };
  return { slug, title, author, createdAt: iso(post.createdAt), score, myScore };
}

/** A post by itself. */
export function shown(post: Post & { content: string; myScore: number | null }, now: number) {
  const { title, content, updatedAt } = post;
  return { ...shownInList(post, now), title, content, updatedAt: iso(updatedAt) };
}

/** Where a post is in the API. */
export function apiPath(slug: string): string {
  return `/api/posts/${encodeURIComponent(slug)}`;
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
