import type { FeedSource } from "@/app/feed";
import { siteName } from "@/app/site-metadata";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { tagPath, textFromPath } from "@/lib/paths";
import { findTag } from "@/lib/posts/tags";

/** The feed of the posts with a tag; null without the tag. */
export async function tagFeed(part: string): Promise<FeedSource | null> {
  const slug = textFromPath(part);
  const tag = slug === null ? null : await findTag(app(), slug);
  if (!tag) return null;
  const title = `${translator("reading")("tag.title", { name: tag.name })} · ${siteName()}`;
  return { title, path: tagPath(tag.slug), tag: tag.slug };
}
