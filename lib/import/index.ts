// Over 200 lines: one post from the archive to the database, step by step.

/**
 * Imports posts of other sites and programs.
 * Each post is a transaction and a line of the report: one that cannot be imported stops no other. Published posts are not
 * announced: no emails, no webhooks. Importing again skips posts that exist.
 */
import {
  type Database,
  isUnavailable,
  type PostSummary,
  type PostText,
  type UserRow,
} from "../../db/index.ts";
import { translator } from "../i18n/index.ts";
import type { ImportFormat } from "../import-uploads/kinds.ts";
import { loggedError } from "../logging/logged-error.ts";
import type { Renderer } from "../markdown/index.ts";
import { namesIn } from "../media/address.ts";
import type { UploadContext } from "../media/upload.ts";
import { excerptMaximum, formerSlugsMaximum, tagMaximum, tagsMaximum } from "../posts/lengths.ts";
import { latestPostDate, optionSchemas } from "../posts/option-schemas.ts";
import { postSchema } from "../posts/schema.ts";
import { formerSlug, freeSlug, importedSlug, isFreeSlugOf, slugFrom, tagSlugFrom } from "../posts/slug.ts";
import { renderText, withSearchText } from "../posts/text.ts";
import { withLineFeeds } from "../text/line-feeds.ts";
import type { User } from "../users/index.ts";
import { type Actor, setRole } from "../users/roles.ts";
import { comparisonKey } from "../users/schema.ts";
import { toUser } from "../users/user-of-row.ts";
import { validate } from "../validation.ts";
import type { Source } from "./archive.ts";
import { ghostPosts } from "./ghost.ts";
import { type ImportedImages, imagesFrom } from "./images.ts";
import { markdownPosts } from "./markdown.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";
import type { Found, ImportLine, ParsedPost } from "./types.ts";
import { wordpressPosts } from "./wordpress.ts";

export type { ImportFormat, ImportLine };

interface ImportContext {
  database: Database;
  renderer: Renderer;
  /** The function that uploads pictures; a trial needs none. */
  uploads: UploadContext;
  /** How long a post waits for a busy server; 30 seconds unless set. */
  busyMaximumMs?: number;
}

export interface ImportRequest {
  source: Source;
  format: ImportFormat;
  /** The account that gets all posts, whatever authors the archive names. */
  author?: string | undefined;
  /**
   * Usernames of this site by the authors' names in the archive; "" stands for none.
   * A trial takes those of the same name for the others, as a suggestion. An import takes none that is not chosen here:
   * a name does not show the person that has registered with it.
   */
  authors?: Readonly<Record<string, string>>;
  /** On record where an account becomes a writer's. */
  by: Actor;
  /** A dry run: saves nothing, and reports the result. */
  isTrial: boolean;
  now: number;
}

const readers: Record<ImportFormat, (source: Source) => AsyncGenerator<Found>> = {
  markdown: markdownPosts,
  ghost: ghostPosts,
  wordpress: wordpressPosts,
};

const busyWaitMs = 30_000;
const shortLineMaximum = 300;

/** Imports the posts of an archive one by one, with a line of the report for each. */
export async function* importPosts(
  context: ImportContext,
  request: ImportRequest,
): AsyncGenerator<ImportLine> {
  const { source, format, isTrial, now } = request;
  for (const { path, reason } of source.refused) yield { source: path, result: "skipped", reason, notes: [] };
  const { uploads, busyMaximumMs = busyWaitMs } = context;
  const images = imagesFrom(source, { uploads: isTrial ? undefined : uploads, busyMaximumMs, now });
  const chosen = Object.entries(request.authors ?? {});
  const known: Known = {
    images,
    chosen: new Map(chosen.map(([name, account]) => [shortLine(name), account])),
    accounts: new Map(),
    places: new Set(),
  };
  for await (const found of readers[format](source)) {
    if (found.kind === "unreadable")
      yield { source: found.source, result: "failed", reason: found.reason, notes: [] };
    else
      yield await importOne(context, request, found.post, known).catch((error: unknown) =>
        failedUnexpectedly(error, found.post),
      );
  }
}

/**
 * The line of a post that met an unexpected error, which is logged.
 * Throws when the database cannot be used.
 */
function failedUnexpectedly(error: unknown, { source, author }: ParsedPost): ImportLine {
  if (isUnavailable(error)) throw error;
  console.error(loggedError(error));
  const reason = translator("importing")("reason.unexpected");
  return { source, author: shortLine(author), result: "failed", reason, notes: [] };
}

/** The posts of an import so far. */
interface Known {
  images: ImportedImages;
  /** The accounts that are chosen, by the authors' names. */
  chosen: ReadonlyMap<string, string>;
  /** By their usernames in comparison form. */
  accounts: Map<string, UserRow | undefined>;
  /** The addresses and dates of its posts. */
  places: Set<string>;
}

async function importOne(
  context: ImportContext,
  request: ImportRequest,
  post: ParsedPost,
  known: Known,
): Promise<ImportLine> {
  const { database } = context;
  const { isTrial, now } = request;
  const { source } = post;
  const t = translator("importing");
  const notes = [...post.notes];
  const found = await authorOf(database, request, { name: shortLine(post.author), known });
  const { images, places } = known;
  const line = { source, author: shortLine(post.author), account: found.account, notes };
  const failed = (reason: string): ImportLine => ({ ...line, result: "failed", reason });
  if (post.date !== undefined && !(post.date >= 0 && post.date <= latestPostDate))
    return failed(t("reason.date"));
  if (post.date === undefined && post.status !== "draft") return failed(t("reason.noDate"));
  if ("reason" in found) return failed(found.reason);
  const { author } = found;
  const title = post.title.replace(/\s+/gu, " ").trim();
  const slug = post.slug ? importedSlug(post.slug) : slugFrom(title);
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
  const written = first.value.content;
  // Rendering has a time limit; finding the pictures of an intricate text has none.
  const asWritten = await rendered(context, written, author);
  if ("reason" in asWritten) return failed(asWritten.reason);
  const placed = await images.place(written, { source, author });
  if (placed.kind === "not-now") return failed(placed.reason);
  notes.push(...placed.notes);
  const isUnchanged = placed.content === written;
  const checked = isUnchanged ? first : validate(postSchema, { title, content: placed.content, ...options });
  if (!checked.ok) return failed(Object.values(checked.errors).flat().join(" "));
  const { content, lang, excerpt, tags = [] } = checked.value;
  const text = isUnchanged ? asWritten : await rendered(context, content, author);
  if ("reason" in text) return failed(text.reason);
  const covered = post.cover
    ? await images.cover(post.cover, post.coverAlt ?? "", { source, author }, notes)
    : undefined;
  if (covered?.kind === "not-now") return failed(covered.reason);
  const cover = covered?.cover;
  const formerSlugs = formerSlugsOf(post, slug, notes);
  if (formerSlugs.length > formerSlugsMaximum)
    notes.push(t("note.formerAddresses", { maximum: formerSlugsMaximum }));
  if (isTrial) return { ...line, result: "would-import", slug };

  const saved = await database.transaction(async () => {
    await database.posts.lockSlug(slug);
    // Another import may run at the same time.
    const meanwhile = await importedBefore(database, slug, same);
    if (meanwhile !== undefined) return { isNew: false, slug: meanwhile, taken: [] };
    const row = await database.users.lock(author.id);
    if (!row || !mayGetPosts(row)) return undefined;
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
    if (publication.publishedAt !== null) await database.subscribers.announce(id, null);
    if (cover) await database.posts.setOptions(id, { cover });
    await database.media.saveUses(id, [...namesIn(content), ...namesIn(cover?.address ?? "")]);
    if (tags.length > 0) await database.tags.setOf(id, tags, { names: publication.publishedAt !== null });
    const taken: string[] = [];
    for (const former of formerSlugs.slice(0, formerSlugsMaximum)) {
      if (await database.posts.isSlugTaken(former)) taken.push(former);
      else await database.posts.addFormerSlug(id, { slug: former, changedAt: createdAt });
    }
    await setRole(database, { user: row, role: "writer", given: true, by: request.by, now });
    return { isNew: true, slug: free, taken };
  });
  if (!saved) return failed(t("reason.authorGone"));
  if (!saved.isNew) return there(saved.slug);
  if (saved.slug !== slug) notes.push(t("note.address", { slug, own: saved.slug }));
  for (const address of saved.taken) notes.push(t("note.formerAddress", { address }));
  return { ...line, result: "imported", slug: saved.slug };
}

/**
 * The former slugs of a post, first its own where this site does not take it.
 * That is noted, as links from elsewhere have it.
 */
function formerSlugsOf(post: ParsedPost, slug: string, notes: string[]): string[] {
  const given = post.slug?.normalize("NFC") || slug;
  const own = formerSlug(given);
  if (given !== slug) {
    const t = translator("importing");
    const address = shortLine(given);
    notes.push(
      own === undefined
        ? t("note.lostAddress", { address, own: slug })
        : t("note.ownAddress", { address, own: slug }),
    );
  }
  return [...new Set([own ?? slug, ...(post.formerSlugs ?? [])])].filter((former) => former !== slug);
}

/** A post's rendered text, or why it cannot be rendered. */
async function rendered(
  { renderer, busyMaximumMs = busyWaitMs }: ImportContext,
  content: string,
  { id }: User,
): Promise<(PostText & PostSummary) | { reason: string }> {
  const text = await retryWhileBusy(() => renderText(renderer, content, id), {
    isBusy: (outcome) => "kind" in outcome && outcome.kind === "busy",
    forMs: busyMaximumMs,
  });
  if (!("kind" in text)) return text;
  const isBusy = text.kind === "busy";
  return {
    reason: isBusy ? translator("importing")("reason.busy") : Object.values(text.errors).flat().join(" "),
  };
}

/** A text on one line, of a length that a report can have. */
function shortLine(text = ""): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, shortLineMaximum)
    .toWellFormed();
}

/**
 * The account that gets an author's posts, or why none does.
 * Then `account` is a suggestion: the one with the author's name.
 */
async function authorOf(
  database: Database,
  { author, isTrial }: ImportRequest,
  { name, known: { chosen, accounts } }: { name: string; known: Known },
): Promise<{ author: User; account: string } | { reason: string; account: string | undefined }> {
  const t = translator("importing");
  const username = author ?? chosen.get(name);
  const key = comparisonKey(username ?? name);
  if (key !== "" && !accounts.has(key)) accounts.set(key, await database.users.byUsernameKey(key));
  const row = accounts.get(key);
  const account = row && mayGetPosts(row) ? row.username : undefined;
  if (username === "" || (username === undefined && (!isTrial || name === "")))
    return { reason: t(name === "" ? "reason.noAuthor" : "reason.noAccount", { name }), account };
  if (!row) return { reason: t("reason.unknownAuthor", { name: username ?? name }), account };
  if (account === undefined) return { reason: t("reason.closedAccount", { name: row.username }), account };
  return { author: toUser(row), account };
}

/** Whether a user's account, which is not deleted, gets posts. */
function mayGetPosts({ disabledAt, pendingSince }: UserRow): boolean {
  return disabledAt === null && pendingSince === null;
}

/** The present slug of the post that an earlier import made of this one. */
async function importedBefore(
  database: Database,
  slug: string,
  same: { date: number | null; title: string },
): Promise<string | undefined> {
  const like = await database.posts.slugsLike(slug, same);
  return like.find(({ found }) => isFreeSlugOf(found, slug))?.slug;
}

/** The post's times; a status that cannot be kept makes it a draft, with a note. */
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
  const once = [...new Map(good.map((tag) => [tagSlugFrom(tag), tag])).values()];
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
