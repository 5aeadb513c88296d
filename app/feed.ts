/** The newest posts of the site, a user or a tag, as Atom and as JSON Feed. */
import { app, currentApp } from "@/lib/app";
import { plainText } from "@/lib/http/plain-text";
import { translator } from "@/lib/i18n";
import { postPath, userPath } from "@/lib/paths";
import { type FoundPost, listPosts } from "@/lib/posts";
import { type Tag, tagsOf } from "@/lib/posts/tags";
import { currentLocale } from "@/lib/request/current-request";
import { trustedOrigin } from "@/lib/request/site-origin";
import { currentTime } from "@/lib/time/current-time";
import { atomFeed } from "./_feed/atom";
import { readContents } from "./_feed/contents";
import { jsonFeed } from "./_feed/json-feed";
import type { Feed, FeedContent, FeedEntry, FeedSource } from "./_feed/types";
import { feedLinks, siteIcon } from "./site-metadata";

const entriesMaximum = 20;

export type { FeedSource };

const formats = {
  atom: { type: "application/atom+xml", write: atomFeed },
  json: { type: "application/feed+json", write: jsonFeed },
} as const;

/** A feed as a response; 404 without a source. */
export async function feedResponse(
  format: keyof typeof formats,
  source: FeedSource | null,
): Promise<Response> {
  if (!source) return plainText(404, translator("problems")("noFeed"));
  const { type, write } = formats[format];
  const feed = await readFeed(source, feedLinks(source.path)[type]);
  return new Response(write(feed), { headers: { "Content-Type": `${type}; charset=utf-8` } });
}

async function readFeed({ authorId, tag, ...source }: FeedSource, self: string): Promise<Feed> {
  const now = currentTime();
  const request = { sort: "newest", limit: entriesMaximum, authorId, tag } as const;
  const posts = (await listPosts(await currentApp(now), request))?.items ?? [];
  const contents = await readContents(posts, now);
  const tags = await tagsOf(app(), posts);
  const entries = posts.map((post, index) => entryOf(post, tags.get(post.id) ?? [], contents[index]));
  const { tab, large } = siteIcon();
  const icon = { small: tab.url, large };
  return { ...source, self, icon, origin: (await trustedOrigin()) ?? "", lang: currentLocale(), entries };
}

function entryOf(post: FoundPost, tags: readonly Tag[], content: FeedContent | undefined): FeedEntry {
  const { slug, title, lang, excerpt, author, createdAt, updatedAt } = post;
  return {
    path: postPath(slug),
    title,
    lang,
    excerpt,
    image: post.cover ?? undefined,
    author: { name: author, path: userPath(author) },
    publishedAt: post.publishedAt ?? createdAt,
    updatedAt,
    tags: tags.map(({ name }) => name),
    content,
  };
}
