/** A post's image for shared links, and its place. */
import { noScoreText, roughRatingsText, scoreText, soFarText } from "@/app/_components/score";
import { siteName } from "@/app/site-metadata";
import { isLocale } from "@/lib/i18n/locale";
import { imageAt, stillAddress } from "@/lib/media/address";
import { postPath } from "@/lib/paths";
import type { Post } from "@/lib/posts";
import { publicScore } from "@/lib/ratings/tally/public-score";
import { scoring } from "@/lib/ratings/tally/scoring-settings";
import { siteSettings } from "@/lib/site";
import { imageSize, type SocialImage, versionOf } from "@/lib/social-image/index";

/**
 * The content of the image, the same for all readers.
 * In the post's language, or else the site's.
 */
export function socialImageOf(post: Post, now: number): SocialImage {
  const language = post.lang?.split("-")[0];
  const locale = isLocale(language) ? language : siteSettings().SITE_LANGUAGE;
  const { settled, count } = publicScore(post, now, scoring);
  const image = { siteName: siteName(), title: post.title, lang: post.lang, author: post.author };
  if (settled === null) return { ...image, score: null, ratings: noScoreText(post, locale) };
  const soFar = soFarText(count, locale);
  if (soFar) return { ...image, score: null, ratings: soFar };
  // Not finer than it is shown: the image stays the same while the score hardly moves.
  const score = { stars: Math.round(settled * 10) / 10, text: scoreText(settled, 1, locale) };
  return { ...image, score, ratings: roughRatingsText(count, locale) };
}

/** The cover for a page's metadata; undefined without one. */
export function coverTag({ cover, coverAlt }: Pick<Post, "cover" | "coverAlt">) {
  const image = cover === null ? undefined : imageAt(cover);
  if (!image) return undefined;
  const { width, height } = image;
  return { url: stillAddress(image, image, "webp"), type: "image/webp", alt: coverAlt ?? "", width, height };
}

/** The image for a page's metadata. Its address changes with its content. */
export function socialImageTag(post: Post, now: number) {
  const { title, author, score, ratings } = socialImageOf(post, now);
  return {
    url: `${postPath(post.slug)}/image.png?v=${versionOf(socialImageOf(post, now))}`,
    type: "image/png",
    alt: [title, author, score?.text, ratings].filter(Boolean).join(" · "),
    ...imageSize,
  };
}
