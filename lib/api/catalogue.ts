/** Schemas of tags and of the archive in the JSON API. */
import { z } from "zod";
import { titleSlugMaximum } from "../posts/slug.ts";
import { cursorMessage, limit } from "./queries.ts";

/** The query parameters of the list of tags. */
export const tagListSchema = z.object({
  cursor: z
    .string()
    .max(titleSlugMaximum, cursorMessage)
    .regex(/^[\p{L}\p{M}\p{N}-]+$/u, cursorMessage)
    .optional()
    .meta({ pattern: undefined }),
  limit,
});

export const tagListAnswer = z.object({
  items: z
    .array(
      z.object({
        slug: z.string(),
        name: z.string().describe("As its first author wrote it."),
        posts: z.int().min(1).describe("How many posts in the lists have it."),
      }),
    )
    .describe("By their slugs."),
  nextCursor: z.string().nullable().describe("For the next page's cursor; null on the last page."),
});

export const archiveAnswer = z.object({
  items: z
    .array(z.object({ year: z.int(), posts: z.int().min(1).describe("How many posts it has.") }))
    .describe("The years (UTC) that have posts, the latest first."),
});
