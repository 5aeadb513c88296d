/** Schemas of posts in the JSON API. */
import { z } from "zod";
import type { Tag } from "../../db/types.ts";
import type { BookmarkedPost } from "../bookmarks/index.ts";
import { type ListedPost, type Post, sorts } from "../posts/index.ts";
import { tagMaximum } from "../posts/lengths.ts";
import { tagsOf } from "../posts/tags.ts";
import { publicScore } from "../ratings/tally/public-score.ts";
import { scoring } from "../ratings/tally/scoring-settings.ts";
import { limit, name } from "./queries.ts";

/** The query parameters of a list of posts. */
export const postListSchema = z.object({
  sort: z.enum(sorts, `Sort must be one of ${sorts.join(", ")}.`).default("newest"),
  q: z.string().max(200, "Q must have at most 200 characters.").optional(),
  tag: z
    .string()
    .max(tagMaximum, `Tag must have at most ${tagMaximum} characters.`)
    .optional()
    .describe("Only posts with this tag."),
  author: name("Author").describe(
    "Only posts by this user; with the unlisted and unpublished ones for this user, and for administrators in a session.",
  ),
  cursor: z.string().optional(),
  limit,
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
  publishedAt: time.nullable().describe("The post's date; null for a draft, which only its author sees."),
  publishAt: time.nullable().describe("When a draft will be published; null when it is not scheduled."),
  unlisted: z.boolean().describe("Whether the post is in no list and is read by its link only."),
  unpublished: z.boolean().describe("Whether an administrator has unpublished it: only its author sees it."),
  excerpt: z.string().nullable().describe("The author's own, or else the beginning of the text."),
  tags: z.array(z.string()).describe("By name."),
  cover: z.string().nullable().describe("The address of the cover image; null for none."),
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

export const draftListAnswer = z.object({
  items: z.array(listedPostAnswer.extend({ updatedAt: time })),
  nextCursor: z.string().nullable().describe("For the next page's cursor; null on the last page."),
});

export const bookmarkListAnswer = z.object({
  items: z.array(listedPostAnswer.extend({ savedAt: time.describe("When you saved it for later.") })),
  nextCursor: z.string().nullable().describe("For the next page's cursor; null on the last page."),
});

const linkedPostAnswer = z.object({
  slug: z.string(),
  title: z.string(),
  lang: z.string().nullable().describe("The text's language (BCP 47); null when it was not recognised."),
});

export const nearbyPostsAnswer = z.object({
  older: linkedPostAnswer.nullable().describe("The post that was published before it; null for none."),
  newer: linkedPostAnswer.nullable().describe("The post that was published after it; null for none."),
  related: z.array(linkedPostAnswer).describe("Those that share the most tags with it."),
});

export const deletedPostAnswer = z.object({ slug: z.string() });

export const previewAnswer = z.object({
  html: z.string().describe("Sanitised HTML, as the post's page would have it."),
  detectedLang: z
    .string()
    .nullable()
    .describe("The text's language (BCP 47), as detected; null when it was not recognised."),
});

/** A post as an item of a list. */
function shownInList(post: ListedPost, tags: readonly Tag[], now: number): z.infer<typeof listedPostAnswer> {
  const { slug, title, author, lang, excerpt, myScore } = post;
  const { average, settled, count } = publicScore(post, now, scoring);
  const score = { average, settled, count };
  return {
    ...{ slug, title, author, lang },
    createdAt: iso(post.createdAt),
    publishedAt: post.publishedAt === null ? null : iso(post.publishedAt),
    publishAt: post.publishAt === null ? null : iso(post.publishAt),
    unlisted: post.isUnlisted,
    unpublished: post.unpublishedAt !== null,
    cover: post.cover,
    excerpt,
    tags: tags.map(({ name }) => name),
    ...{ score, myScore },
  };
}

/** One page of posts with their tags. */
export async function shownPage(
  context: Parameters<typeof tagsOf>[0],
  { items, nextCursor }: { items: ListedPost[]; nextCursor: string | null },
  now: number,
): Promise<z.infer<typeof postListAnswer>> {
  const tags = await tagsOf(context, items);
  return { items: items.map((post) => shownInList(post, tags.get(post.id) ?? [], now)), nextCursor };
}

/** A draft, with its last change. */
export function shownDraft(draft: Post, tags: readonly Tag[], now: number) {
  return { ...shownInList({ ...draft, myScore: null }, tags, now), updatedAt: iso(draft.updatedAt) };
}

/** A post that the user has saved for later. */
export function shownBookmark(post: BookmarkedPost, tags: readonly Tag[], now: number) {
  return { ...shownInList(post, tags, now), savedAt: iso(post.savedAt) };
}

/** A post with its content. */
export function shown(
  post: Post & { content: string; myScore: number | null; tags: readonly Tag[] },
  now: number,
): z.infer<typeof postAnswer> {
  const { title, content, updatedAt } = post;
  return { ...shownInList(post, post.tags, now), title, content, updatedAt: iso(updatedAt) };
}

/** The path of a post in the API. */
export function apiPath(slug: string): string {
  return `/api/posts/${encodeURIComponent(slug)}`;
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
