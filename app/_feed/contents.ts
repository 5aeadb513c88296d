import { scoreSentence } from "@/app/_components/score";
import { database } from "@/lib/database";
import { imageAddress, imageAt } from "@/lib/media/address";
import type { ListedPost } from "@/lib/posts";
import { publicScore } from "@/lib/ratings/tally/public-score";
import { scoring } from "@/lib/ratings/tally/scoring-settings";
import { currentLocale } from "@/lib/request/current-request";
import { escapeMarkup } from "@/lib/text/escape-markup";
import type { FeedContent } from "./types";
import { withinLength } from "./within-length";

/** Maximum length of a post's HTML, in UTF-16 units; escaped it is longer. */
const contentMaximum = 200_000;
/** Maximum length of all contents together, escaped. */
const contentsMaximum = 1_000_000;

/**
 * The contents of posts.
 * Undefined for long ones, and for those beyond all together.
 */
export function readContents(
  posts: readonly ListedPost[],
  now: number,
): Promise<(FeedContent | undefined)[]> {
  return withinLength(contentsMaximum, posts, (post) => contentOf(post, now));
}

/** The cover as HTML; empty without one. */
function coverOf({ cover, coverAlt }: ListedPost): string {
  const image = cover === null ? undefined : imageAt(cover);
  if (!image) return "";
  const { width, height } = image;
  const alt = escapeMarkup(coverAlt ?? "");
  return `<p><img src="${imageAddress(image)}" alt="${alt}" width="${width}" height="${height}"></p>`;
}

async function contentOf(post: ListedPost, now: number): Promise<FeedContent | undefined> {
  const { html, content = "" } = (await database().posts.textOf(post.id)) ?? {};
  if ((html ?? content).length > contentMaximum) return undefined;
  if (!html) return { kind: "text", text: content };
  const score = scoreSentence(publicScore(post, now, scoring));
  return { kind: "html", text: `${coverOf(post)}${html}<p lang="${currentLocale()}">${score}</p>` };
}
