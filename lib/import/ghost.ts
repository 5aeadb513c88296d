/** Ghost's export: one JSON file, also in a ZIP archive with its images. */
import { z } from "zod";
import { translator } from "../i18n/index.ts";
import { inReadersLanguage, jsonFrom } from "../validation.ts";
import { type Source, textOf } from "./archive.ts";
import { markdownFrom } from "./html.ts";
import { dateFrom, firstFault } from "./markdown.ts";
import type { Found } from "./types.ts";

const id = z.union([z.string(), z.number()]).transform(String);
const line = z.string().nullish();

const post = z.object({
  id,
  title: z.string(),
  slug: z.string(),
  html: line,
  plaintext: line,
  custom_excerpt: line,
  status: z.string(),
  visibility: line,
  type: line,
  page: z.union([z.boolean(), z.number()]).nullish(),
  published_at: line,
  created_at: line,
  feature_image: line,
  feature_image_alt: line,
  author_id: id.nullish(),
  locale: line,
});

const named = z.object({ id, name: line, slug: line, email: line });
const data = z.object({
  posts: z.array(z.unknown()),
  tags: z.array(named).default([]),
  users: z.array(named).default([]),
  /** In Ghost's export a table of its own; elsewhere a part of the post. */
  posts_meta: z
    .array(z.object({ post_id: id, feature_image_alt: line }))
    .default([])
    .catch([]),
  posts_tags: z.array(z.object({ post_id: id, tag_id: id, sort_order: z.number().nullish() })).default([]),
  posts_authors: z
    .array(z.object({ post_id: id, author_id: id, sort_order: z.number().nullish() }))
    .default([]),
});
const file = z.union([
  z.object({ db: z.array(z.object({ data })).min(1) }).transform(({ db }) => db[0]?.data),
  z.object({ data }).transform((whole) => whole.data),
]);

/** The posts and pages of the first file that is an export of Ghost's. */
export async function* ghostPosts({ files }: Source): AsyncGenerator<Found> {
  for (const each of files.values()) {
    if (!each.path.endsWith(".json")) continue;
    const text = await textOf(each);
    if (typeof text !== "string") yield text;
    else {
      const parsed = file.safeParse(jsonFrom(text), inReadersLanguage());
      if (!parsed.success || !parsed.data) continue;
      yield* postsIn(parsed.data);
      return;
    }
  }
  yield { kind: "unreadable", source: "", reason: translator("importing")("reason.noGhost") };
}

async function* postsIn(exported: z.infer<typeof data>): AsyncGenerator<Found> {
  const t = translator("importing");
  const tags = new Map(exported.tags.map((tag) => [tag.id, tag.name ?? ""]));
  const users = new Map(exported.users.map((user) => [user.id, user.slug ?? user.name ?? undefined]));
  const coverAlts = new Map(exported.posts_meta.map((meta) => [meta.post_id, meta.feature_image_alt]));
  const inOrder = <Link extends { post_id: string; sort_order?: number | null | undefined }>(links: Link[]) =>
    Map.groupBy(
      links.toSorted((one, other) => (one.sort_order ?? 0) - (other.sort_order ?? 0)),
      (link) => link.post_id,
    );
  const tagsOf = inOrder(exported.posts_tags);
  const authorsOf = inOrder(exported.posts_authors);
  for (const [index, row] of exported.posts.entries()) {
    const parsed = post.safeParse(row, inReadersLanguage());
    const source = `post ${index + 1}`;
    if (!parsed.success) {
      yield { kind: "unreadable", source, reason: firstFault(parsed.error) };
      continue;
    }
    const { id, title, slug, status, ...given } = parsed.data;
    const content = await markdownFrom(withoutSiteUrl(given.html ?? given.plaintext ?? ""));
    if (content === undefined) {
      yield { kind: "unreadable", source: `${source}: ${slug}`, reason: t("reason.html") };
      continue;
    }
    const notes: string[] = [];
    if (given.type === "page" || given.page) notes.push(t("note.page"));
    if (given.visibility && given.visibility !== "public") notes.push(t("note.members"));
    if ((authorsOf.get(id)?.length ?? 0) > 1) notes.push(t("note.authors"));
    const author = authorsOf.get(id)?.[0]?.author_id ?? given.author_id ?? undefined;
    yield {
      kind: "post",
      post: {
        source: `${source}: ${slug}`,
        title,
        content,
        cover: given.feature_image ? withoutSiteUrl(given.feature_image) : undefined,
        coverAlt: given.feature_image_alt ?? coverAlts.get(id) ?? undefined,
        slug,
        date: dateFrom(given.published_at ?? given.created_at),
        author: author === undefined ? undefined : users.get(author),
        status: given.visibility && given.visibility !== "public" ? "draft" : statusFrom(status),
        isUnlisted: given.type === "page" || Boolean(given.page),
        lang: given.locale ?? undefined,
        excerpt: given.custom_excerpt ?? undefined,
        // Tags whose names begin with "#" are Ghost's own.
        tags: (tagsOf.get(id) ?? [])
          .map(({ tag_id }) => tags.get(tag_id) ?? "")
          .filter((name) => /^[^#]/.test(name)),
        notes,
      },
    };
  }
}

function statusFrom(status: string): "published" | "scheduled" | "draft" {
  return status === "published" || status === "scheduled" ? status : "draft";
}

/** Ghost writes this in place of its own address. */
function withoutSiteUrl(text: string): string {
  return text.replaceAll("__GHOST_URL__", "");
}
