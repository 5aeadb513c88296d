import { escapeMarkup } from "@/lib/text/escape-markup";
import type { Feed, FeedEntry } from "./types";

/** A feed as Atom (RFC 4287). */
export function atomFeed(feed: Feed): string {
  const { origin, title, description, path, self, icon, entries } = feed;
  const updated = entries.reduce((latest, entry) => Math.max(latest, entry.updatedAt), 0);
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${feed.lang}">
  <title>${escapeXml(title)}</title>${
    description === undefined
      ? ""
      : `
  <subtitle>${escapeXml(description)}</subtitle>`
  }
  <icon>${escapeXml(origin + icon.small)}</icon>
  <link href="${escapeXml(origin + path)}"/>
  <link rel="self" type="application/atom+xml" href="${escapeXml(origin + self)}"/>
  <id>${escapeXml(idOf(origin, path))}</id>
  <updated>${new Date(updated).toISOString()}</updated>
${entries.map((entry) => atomEntry(entry, origin)).join("")}</feed>
`;
}

function atomEntry(entry: FeedEntry, origin: string): string {
  const { path, title, excerpt, author } = entry;
  return `  <entry xml:lang="${escapeXml(entry.lang ?? "")}">
    <title>${escapeXml(title)}</title>
    <link href="${escapeXml(origin + path)}"/>
    <id>${escapeXml(idOf(origin, path))}</id>
    <published>${new Date(entry.publishedAt).toISOString()}</published>
    <updated>${new Date(entry.updatedAt).toISOString()}</updated>
    <author><name>${escapeXml(author.name)}</name><uri>${escapeXml(origin + author.path)}</uri></author>${entry.tags
      .map(
        (tag) => `
    <category term="${escapeXml(tag)}"/>`,
      )
      .join("")}${
      excerpt
        ? `
    <summary>${escapeXml(excerpt)}</summary>`
        : ""
    }
    ${atomContent(entry, origin)}
  </entry>
`;
}

function atomContent({ content, path }: FeedEntry, origin: string): string {
  if (!content) return "";
  // Relative addresses in the text are relative to its page.
  const base = content.kind === "html" ? ` xml:base="${escapeXml(origin + path)}"` : "";
  return `<content type="${content.kind}"${base}>${escapeXml(content.text)}</content>`;
}

/** An id is an absolute address, a link need not be one. */
function idOf(origin: string, path: string): string {
  return origin ? origin + path : `tag:weir,2026:${path}`;
}

/** Without the characters that XML 1.0 cannot contain at all, escaped or not. */
function escapeXml(text: string): string {
  return escapeMarkup(text)
    .replaceAll("'", "&apos;")
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "");
}
