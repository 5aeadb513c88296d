import { withAbsoluteAddresses } from "./absolute-addresses";
import type { Feed, FeedEntry } from "./types";

/** A feed as JSON Feed 1.1 (jsonfeed.org). */
export function jsonFeed({ origin, title, description, path, self, icon, lang, entries }: Feed): string {
  return JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title,
    home_page_url: origin + path,
    feed_url: origin + self,
    description,
    icon: origin + icon.large,
    favicon: origin + icon.small,
    language: lang,
    items: entries.map((entry) => jsonItem(entry, origin)),
  });
}

function jsonItem(entry: FeedEntry, origin: string) {
  const url = origin + entry.path;
  return {
    id: url,
    url,
    title: entry.title,
    image: entry.image === undefined ? undefined : origin + entry.image,
    ...contentOf(entry, origin),
    summary: entry.excerpt ?? undefined,
    date_published: new Date(entry.publishedAt).toISOString(),
    date_modified: new Date(entry.updatedAt).toISOString(),
    authors: [{ name: entry.author.name, url: origin + entry.author.path }],
    tags: entry.tags,
    language: entry.lang ?? undefined,
  };
}

/** One of the two must be there. */
function contentOf({ content, excerpt, path }: FeedEntry, origin: string) {
  if (content?.kind === "html") return { content_html: withAbsoluteAddresses(content.text, origin, path) };
  return { content_text: content?.text ?? excerpt ?? "" };
}
