import { scoreSentence } from "@/app/_components/score";
import { siteDescription, siteName } from "@/app/site-metadata";
import { currentApp } from "@/lib/app";
import { database } from "@/lib/database";
import { escapeMarkup } from "@/lib/escape-markup";
import { postPath, userPath } from "@/lib/paths";
import { type ListedPost, listPosts } from "@/lib/posts";
import { publicScore } from "@/lib/ratings/tally/public-score";
import { scoring } from "@/lib/ratings/tally/scoring-settings";
import { currentLocale } from "@/lib/request/current-request";
import { trustedOrigin } from "@/lib/request/site-origin";
import { currentTime } from "@/lib/time/current-time";
import { withinLength } from "./within-length";

const entriesMaximum = 20;
/** Maximum length of a post's HTML, in UTF-16 units; escaped it is longer. */
const contentMaximum = 200_000;
/** Maximum length of all contents together, escaped. */
const contentsMaximum = 1_000_000;

/** The newest posts as an Atom feed (RFC 4287), each with its text and score. */
export async function GET(): Promise<Response> {
  const origin = (await trustedOrigin()) ?? "";
  // An id is an absolute address, a link need not be one.
  const idOf = (path: string) => (origin ? origin + path : `tag:weir,2026:${path}`);
  const now = currentTime();
  const posts =
    (await listPosts(await currentApp(now), { sort: "newest", limit: entriesMaximum }))?.items ?? [];
  const updated = posts.reduce((latest, post) => Math.max(latest, post.updatedAt), 0);
  const contents = await withinLength(contentsMaximum, posts, (post) =>
    contentOf(post, origin + postPath(post.slug), now),
  );
  const entries = posts.map((post, index) => {
    const path = postPath(post.slug);
    return `  <entry${langAttribute(post)}>
    <title>${escapeXml(post.title)}</title>
    <link href="${escapeXml(origin + path)}"/>
    <id>${escapeXml(idOf(path))}</id>
    <published>${new Date(post.createdAt).toISOString()}</published>
    <updated>${new Date(post.updatedAt).toISOString()}</updated>
    <author><name>${escapeXml(post.author)}</name><uri>${escapeXml(origin + userPath(post.author))}</uri></author>${
      post.excerpt
        ? `
    <summary>${escapeXml(post.excerpt)}</summary>`
        : ""
    }
    ${contents[index] ?? ""}
  </entry>
`;
  });
  const feed = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${currentLocale()}">
  <title>${escapeXml(siteName())}</title>
  <subtitle>${escapeXml(siteDescription())}</subtitle>
  <icon>${escapeXml(`${origin}/icon.svg`)}</icon>
  <link href="${escapeXml(`${origin}/`)}"/>
  <link rel="self" type="application/atom+xml" href="${escapeXml(`${origin}/feed.xml`)}"/>
  <id>${escapeXml(idOf("/"))}</id>
  <updated>${new Date(updated).toISOString()}</updated>
${entries.join("")}</feed>
`;
  return new Response(feed, { headers: { "Content-Type": "application/atom+xml; charset=utf-8" } });
}

/** A post's language; empty for an unknown one, which need not be the site's. */
function langAttribute({ lang }: ListedPost): string {
  return ` xml:lang="${escapeXml(lang ?? "")}"`;
}

/**
 * The post as on its page, then its score.
 * As it was written when it has not been rendered. Undefined for a long one: the entry has summary and link.
 */
async function contentOf(post: ListedPost, url: string, now: number): Promise<string | undefined> {
  const text = await database().posts.textOf(post.id);
  if ((text?.html ?? text?.content ?? "").length > contentMaximum) return undefined;
  if (!text?.html) return `<content type="text">${escapeXml(text?.content ?? "")}</content>`;
  const score = `<p lang="${currentLocale()}">${scoreSentence(publicScore(post, now, scoring))}</p>`;
  // Relative addresses in the text are relative to its page.
  return `<content type="html" xml:base="${escapeXml(url)}">${escapeXml(text.html + score)}</content>`;
}

/** Replaces the two characters that XML cannot contain at all with U+FFFD. */
function escapeXml(text: string): string {
  return escapeMarkup(text)
    .replaceAll("'", "&apos;")
    .replace(/[\uFFFE\uFFFF]/g, "\uFFFD");
}
