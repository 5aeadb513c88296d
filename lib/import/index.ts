// Over 200 lines: one post from the archive to the database, step by step.

/**
 * Imports posts of other sites and programs.
 * Each post is a transaction and a line of the report: one that cannot be imported stops no other. What is imported is
 * not announced: no emails, no webhooks. Importing again leaves out what is there.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../db/index.ts";
import { translator } from "../i18n/index.ts";
import type { ImportFormat } from "../import-uploads/kinds.ts";
import { withLineFeeds } from "../line-feeds.ts";
import type { Renderer } from "../markdown/index.ts";
import { namesIn } from "../media/address.ts";
import type { UploadContext } from "../media/index.ts";
import { excerptMaximum, formerSlugsMaximum, tagMaximum, tagsMaximum } from "../posts/lengths.ts";
import { optionSchemas } from "../posts/option-schemas.ts";
import { postSchema } from "../posts/schema.ts";
import { freeSlug, isSlugOf, slugFrom } from "../posts/slug.ts";
import { renderText } from "../posts/text.ts";
import { withSearchText } from "../posts/writing.ts";
import type { User } from "../users/index.ts";
import { comparisonKey } from "../users/schema.ts";
import { toUser } from "../users/user-of-row.ts";
import { validate } from "../validation.ts";
import type { Source } from "./archive.ts";
import { ghostPosts } from "./ghost.ts";
import { type ImportedImages, imagesFrom } from "./images.ts";
import { markdownPosts } from "./markdown.ts";
import type { Found, ImportLine, ParsedPost } from "./types.ts";
import { wordpressPosts } from "./wordpress.ts";

export type { ImportFormat, ImportLine };

export interface ImportContext {
  database: Database;
  renderer: Renderer;
  /** The function that uploads pictures; a trial needs none. */
  uploads: UploadContext;
}

export interface ImportRequest {
  source: Source;
  format: ImportFormat;
  /** The author of all posts, whatever the archive says. */
  author?: string | undefined;
  /** Usernames of this site by the authors' names in the archive; "" stands for none. */
  authors?: Readonly<Record<string, string>>;
  /** Saves nothing, and reports what would be saved. */
  isTrial: boolean;
  now: number;
}

const readers: Record<ImportFormat, (source: Source) => AsyncGenerator<Found>> = {
  markdown: markdownPosts,
  ghost: ghostPosts,
  wordpress: wordpressPosts,
};

/** The latest date of a post: the end of the year 2999. */
const latest = Date.UTC(3000, 0, 1) - 1;
const busyTriesMaximum = 60;

/** Imports the posts of an archive one by one, with a line of the report for each. */
export async function* importPosts(
  context: ImportContext,
  request: ImportRequest,
): AsyncGenerator<ImportLine> {
  const { source, format, isTrial, now } = request;
  for (const { path, reason } of source.refused) yield { source: path, result: "skipped", reason, notes: [] };
  const images = imagesFrom(source, { uploads: isTrial ? undefined : context.uploads, now });
  const known: Known = { images, authors: new Map(), places: new Set() };
  for await (const found of readers[format](source)) {
    if (found.kind === "unreadable")
      yield { source: found.source, result: "failed", reason: found.reason, notes: [] };
    else yield await importOne(context, request, found.post, known);
  }
}

/** The posts of an import so far. */
interface Known {
  images: ImportedImages;
  authors: Map<string, User | undefined>;
  /** The addresses and dates of its posts. */
  places: Set<string>;
}

async function importOne(
  context: ImportContext,
  request: ImportRequest,
  post: ParsedPost,
  { images, authors, places }: Known,
): Promise<ImportLine> {
  const { database, renderer } = context;
  const { isTrial, now } = request;
  const { source } = post;
  const t = translator("importing");
  const notes = [...post.notes];
  const line = { source, author: post.author ?? "", notes };
  const failed = (reason: string): ImportLine => ({ ...line, result: "failed", reason });
  if (post.date !== undefined && !(post.date >= 0 && post.date <= latest)) return failed(t("reason.date"));
  if (post.date === undefined && post.status !== "draft") return failed(t("reason.noDate"));
  const author = await authorOf(database, request, { name: post.author, known: authors });
  if (typeof author === "string") return failed(author);
  const title = post.title.replace(/\s+/gu, " ").trim();
  const slug = slugFrom(post.slug || title);
  const publication = publicationOf(post, now, notes);
  const createdAt = Math.min(post.date ?? now, now);
  const savedDate = publication.publishedAt ?? publication.publishAt ?? createdAt;
  // A draft with a date to come is saved without it.
  const same = { date: post.date === undefined || post.date > savedDate ? null : savedDate, title };
  const place = `${slug} ${same.date ?? title}`;
  if (places.has(place)) return failed(t("reason.sameInArchive"));
  places.add(place);
  const there = (present: string): ImportLine => ({
    ...line,
    ...{ result: "skipped", slug: present, reason: t("reason.there") },
  });
  const before = await importedBefore(database, slug, same);
  if (before !== undefined) return there(before);

  const options = optionsOf(post, notes);
  // Before its pictures are uploaded.
  const first = validate(postSchema, { title, content: withLineFeeds(post.content), ...options });
  if (!first.ok) return failed(Object.values(first.errors).flat().join(" "));
  const placed = await images.place(withLineFeeds(post.content), { source, author });
  notes.push(...placed.notes);
  const checked = validate(postSchema, { title, content: placed.content, ...options });
  if (!checked.ok) return failed(Object.values(checked.errors).flat().join(" "));
  const { content, lang, excerpt, tags = [] } = checked.value;
  const text = await rendered(renderer, content, author.id);
  if (text === "busy") return failed(t("reason.busy"));
  if ("kind" in text) return failed("errors" in text ? Object.values(text.errors).flat().join(" ") : "");
  const cover = post.cover
    ? await images.cover(post.cover, post.coverAlt ?? "", { source, author }, notes)
    : null;
  const formerSlugs = [...new Set(post.formerSlugs)].filter((former) => former !== slug);
  if (formerSlugs.length > formerSlugsMaximum)
    notes.push(t("note.formerAddresses", { maximum: formerSlugsMaximum }));
  if (isTrial) return { ...line, result: "would-import", slug };

  const saved = await database.transaction(async () => {
    await database.posts.lockSlug(slug);
    // Another import may run at the same time.
    const meanwhile = await importedBefore(database, slug, same);
    if (meanwhile !== undefined) return { isNew: false, slug: meanwhile, taken: [] };
    const row = await database.users.lock(author.id);
    if (!row) return undefined;
    const free = await freeSlug(slug, (candidate) => database.posts.isSlugTaken(candidate));
    const id = await database.posts.insert({
      ...withSearchText(title, text),
      ...publication,
      ...(post.updated !== undefined &&
        post.updated > savedDate && { updatedAt: Math.min(post.updated, now) }),
      slug: free,
      authorId: author.id,
      createdAt,
      isUnlisted: post.isUnlisted ?? false,
      chosenLang: lang,
      chosenExcerpt: excerpt,
    });
    if (cover) await database.posts.setOptions(id, { cover });
    await database.media.saveUses(id, [...namesIn(content), ...namesIn(cover?.address ?? "")]);
    if (tags.length > 0) await database.tags.setOf(id, tags);
    const taken: string[] = [];
    for (const former of formerSlugs.slice(0, formerSlugsMaximum)) {
      if (await database.posts.isSlugTaken(former)) taken.push(former);
      else await database.posts.addFormerSlug(id, { slug: former, changedAt: createdAt });
    }
    if (!row.isWriter) await database.users.setWriter(author.id, true);
    return { isNew: true, slug: free, taken };
  });
  if (!saved) return failed(t("reason.authorGone"));
  if (!saved.isNew) return there(saved.slug);
  if (saved.slug !== slug) notes.push(t("note.address", { slug, own: saved.slug }));
  for (const address of saved.taken) notes.push(t("note.formerAddress", { address }));
  return { ...line, result: "imported", slug: saved.slug };
}

/** The author's account on this site, or why there is none. */
async function authorOf(
  database: Database,
  { author, authors = {} }: ImportRequest,
  { name, known }: { name: string | undefined; known: Map<string, User | undefined> },
): Promise<User | string> {
  const chosen = author ?? (Object.hasOwn(authors, name ?? "") ? authors[name ?? ""] : name);
  if (!chosen) return translator("importing")("reason.noAuthor");
  const key = comparisonKey(chosen);
  if (!known.has(key)) {
    const row = await database.users.byUsernameKey(key);
    known.set(key, row && toUser(row));
  }
  return known.get(key) ?? translator("importing")("reason.unknownAuthor", { name: chosen });
}

/** The present slug of the post that an earlier import made of this one. */
async function importedBefore(
  database: Database,
  slug: string,
  same: { date: number | null; title: string },
): Promise<string | undefined> {
  const like = await database.posts.slugsLike(slug, same);
  return like.find(({ found }) => isSlugOf(found, slug))?.slug;
}

/** When the post is published; what cannot be as it was is a draft, and noted. */
function publicationOf(
  { status, date }: ParsedPost,
  now: number,
  notes: string[],
): { publishedAt: number | null; publishAt: number | null } {
  const draft = { publishedAt: null, publishAt: null };
  if (status === "draft" || date === undefined) return draft;
  if (status === "published" && date <= now) return { publishedAt: date, publishAt: null };
  if (status === "scheduled" && date > now) return { publishedAt: null, publishAt: date };
  const t = translator("importing");
  if (status === "unpublished") notes.push(t("note.hidden"));
  else notes.push(t(status === "scheduled" ? "note.passed" : "note.future"));
  return draft;
}

/**
 * Language, excerpt and tags.
 * Images that this site does not take are noted and left out.
 */
function optionsOf({ lang, excerpt, tags = [] }: ParsedPost, notes: string[]) {
  const t = translator("importing");
  const good = tags.filter((tag) => optionSchemas.tags.safeParse([tag]).success);
  if (good.length < tags.length) notes.push(t("note.tags", { maximum: tagMaximum }));
  const once = [...new Map(good.map((tag) => [slugFrom(tag), tag])).values()];
  if (once.length > tagsMaximum) notes.push(t("note.manyTags", { count: once.length, maximum: tagsMaximum }));
  const isLang = lang === undefined || postSchema.shape.lang.safeParse(lang).success;
  if (!isLang) notes.push(t("note.language", { language: lang }));
  const isExcerpt = excerpt === undefined || optionSchemas.excerpt.safeParse(excerpt).success;
  if (!isExcerpt) notes.push(t("note.excerpt", { maximum: excerptMaximum }));
  return {
    tags: once.slice(0, tagsMaximum),
    ...(isLang && { lang }),
    ...(isExcerpt && { excerpt }),
  };
}

/** The text's HTML, when its turn comes. */
async function rendered(renderer: Renderer, content: string, authorId: number) {
  for (let tries = 0; tries < busyTriesMaximum; tries += 1) {
    const text = await renderText(renderer, content, authorId);
    if (!("kind" in text) || text.kind !== "busy") return text;
    await sleep(500);
  }
  return "busy";
}
