/** WordPress' export (WXR): an XML file, also in a ZIP archive with the uploads. */
import { XMLParser } from "fast-xml-parser";
import { z } from "zod";
import { translator } from "../i18n/index.ts";
import { formerSlug } from "../posts/slug.ts";
import { inReadersLanguage } from "../validation.ts";
import { type Source, textOf } from "./archive.ts";
import { markdownFrom } from "./html.ts";
import { dateFrom, firstFault } from "./markdown.ts";
import type { Found } from "./types.ts";

/**
 * Entities are not resolved here: declared ones could multiply, or name files.
 * Values stay text, as "007" is not a number.
 */
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  cdataPropName: "#cdata",
  isArray: (name) => ["item", "category", "wp:author", "wp:postmeta"].includes(name),
});

/** The text of an element, plain or as CDATA, which a "]]>" in it parts in several. */
const text = z
  .union([
    z.string(),
    z.object({
      "#cdata": z.union([z.string(), z.array(z.string())]).optional(),
      "#text": z.string().optional(),
    }),
  ])
  .transform((value) =>
    typeof value === "string"
      ? unescaped(value)
      : unescaped(value["#text"] ?? "") + [value["#cdata"] ?? ""].flat().join("]]>"),
  );

const category = z.object({
  "@domain": z.string().optional(),
  "#text": z.string().optional(),
  "#cdata": z.string().optional(),
});

const meta = z.object({ "wp:meta_key": text.optional(), "wp:meta_value": text.optional() });

const item = z.object({
  "wp:post_id": text.optional(),
  title: text.optional(),
  "dc:creator": text.optional(),
  "content:encoded": text.optional(),
  "excerpt:encoded": text.optional(),
  "wp:post_name": text.optional(),
  "wp:post_date_gmt": text.optional(),
  "wp:post_date": text.optional(),
  "wp:status": text.optional(),
  "wp:post_type": text.optional(),
  "wp:post_password": text.optional(),
  "wp:attachment_url": text.optional(),
  "wp:postmeta": z.array(meta).optional().catch(undefined),
  category: z.array(z.union([z.string(), category])).optional(),
});

const file = z.object({
  rss: z.object({ channel: z.object({ item: z.array(z.unknown()).optional() }) }),
});

type Item = z.infer<typeof item>;

/** An uploaded image, as posts name it by its number. */
interface Attachment {
  url: string;
  alt: string;
}

/** The posts and pages of the first file that is an export of WordPress'. */
export async function* wordpressPosts({ files }: Source): AsyncGenerator<Found> {
  const t = translator("importing");
  for (const each of files.values()) {
    if (!each.path.endsWith(".xml")) continue;
    const xml = await textOf(each);
    if (typeof xml !== "string") yield xml;
    else if (/<!DOCTYPE/i.test(xml.slice(0, Math.max(0, xml.search(/<rss[\s>]/)))))
      yield { kind: "unreadable", source: each.path, reason: t("reason.documentType") };
    else {
      const parsed = file.safeParse(xmlFrom(xml), inReadersLanguage());
      if (!parsed.success) continue;
      const rows = (parsed.data.rss.channel.item ?? []).map((row) =>
        item.safeParse(row, inReadersLanguage()),
      );
      const attachments = attachmentsOf(rows.flatMap(({ data }) => data ?? []));
      for (const [index, { data, error }] of rows.entries()) {
        const source = `item ${index + 1}`;
        const found = error
          ? ({ kind: "unreadable", source, reason: firstFault(error) } as const)
          : await postOf(data, source, attachments);
        if (found) yield found;
      }
      return;
    }
  }
  yield { kind: "unreadable", source: "", reason: t("reason.noWordPress") };
}

/** The uploads by their number. */
function attachmentsOf(items: readonly Item[]): Map<string, Attachment> {
  return new Map(
    items.flatMap((each) => {
      const [id, url] = [each["wp:post_id"], each["wp:attachment_url"]];
      if (!id || !url) return [];
      return [[id, { url, alt: metaOf(each, "_wp_attachment_image_alt")[0] ?? "" }]];
    }),
  );
}

/** The values that a post has under a key; WordPress keeps all but the text so. */
function metaOf({ "wp:postmeta": entries = [] }: Item, key: string): string[] {
  return entries.flatMap((entry) => (entry["wp:meta_key"] === key ? (entry["wp:meta_value"] ?? []) : []));
}

/** Undefined for an item that is neither a post nor a page, such as an attachment. */
async function postOf(
  given: Item,
  number: string,
  attachments: ReadonlyMap<string, Attachment>,
): Promise<Found | undefined> {
  const t = translator("importing");
  const type = given["wp:post_type"] ?? "post";
  const status = given["wp:status"] ?? "publish";
  if ((type !== "post" && type !== "page") || status === "trash" || status === "auto-draft") return undefined;
  const slug = given["wp:post_name"] || undefined;
  const source = `${number}: ${slug ?? given.title ?? ""}`;
  const content = await markdownFrom(withParagraphs(given["content:encoded"] ?? ""));
  if (content === undefined) return { kind: "unreadable", source, reason: t("reason.html") };
  const notes: string[] = [];
  if (type === "page") notes.push(t("note.page"));
  const isHidden = status === "private" || Boolean(given["wp:post_password"]);
  if (isHidden) notes.push(t("note.private"));
  const cover = attachments.get(metaOf(given, "_thumbnail_id")[0] ?? "");
  return {
    kind: "post",
    post: {
      source,
      title: given.title ?? "",
      content,
      slug: slug === undefined ? undefined : decoded(slug),
      date: dateOf(given["wp:post_date_gmt"]) ?? dateOf(given["wp:post_date"]),
      author: given["dc:creator"],
      status: isHidden
        ? "draft"
        : status === "publish"
          ? "published"
          : status === "future"
            ? "scheduled"
            : "draft",
      isUnlisted: type === "page",
      excerpt: given["excerpt:encoded"] || undefined,
      cover: cover?.url,
      coverAlt: cover?.alt,
      tags: tagsOf(given.category ?? []),
      formerSlugs: metaOf(given, "_wp_old_slug").flatMap((former) => formerSlug(decoded(former)) ?? []),
      notes,
    },
  };
}

/** Categories and tags are both tags here; "Uncategorized" is WordPress' own. */
function tagsOf(categories: readonly (string | z.infer<typeof category>)[]): string[] {
  const names = categories.map((each) =>
    typeof each === "string" ? unescaped(each) : (each["#cdata"] ?? unescaped(each["#text"] ?? "")),
  );
  return names.filter((name) => name !== "" && name !== "Uncategorized");
}

/** A draft has the date 0000-00-00. */
function dateOf(text: string | undefined): number | undefined {
  return text?.startsWith("0000") ? undefined : dateFrom(text);
}

/** The classic editor keeps paragraphs as empty lines, the newer one as elements. */
function withParagraphs(html: string): string {
  if (/<p[\s>]/i.test(html)) return html;
  return html
    .split(/\n\s*\n/)
    .map((part) =>
      /^\s*<(?:h\d|ul|ol|pre|blockquote|table|figure|div)/i.test(part) ? part : `<p>${part}</p>`,
    )
    .join("\n");
}

/** Slugs of other scripts are percent-encoded. */
function decoded(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}

const predefined: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** XML text with its predefined entities and character references resolved. */
function unescaped(xml: string): string {
  return xml.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi,
    (all, decimal, hex, name) => {
      if (name !== undefined) return predefined[name] ?? all;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code > 0x10ffff ? all : String.fromCodePoint(code);
    },
  );
}

function xmlFrom(xml: string): unknown {
  try {
    return parser.parse(xml);
  } catch {
    return undefined;
  }
}
