/**
 * Markdown files with front matter.
 * Those of this site's own export, of Jekyll, Hugo and others.
 */
import { z } from "zod";
import { frontMatterMaximum, readFrontMatter } from "../archive/front-matter.ts";
import { postStatuses, slugOfAlias } from "../archive/post-file.ts";
import { translator } from "../i18n/index.ts";
import { inReadersLanguage } from "../validation.ts";
import type { Source, SourceFile } from "./archive.ts";
import type { Found, ParsedPost } from "./types.ts";

/** Text, or a number that YAML has read in its place. */
const text = z.union([z.string(), z.number().transform(String)]);
const time = z.union([
  z.string(),
  z.date().transform((date) => date.toISOString()),
  z.number().transform(String),
]);

/** One text or several. */
const list = z.union([z.array(text), text.transform((line) => [line])]);

const head = z.object({
  title: text.optional(),
  slug: text.optional(),
  date: time.optional(),
  updated: time.optional(),
  lastmod: time.optional(),
  author: text.optional(),
  status: z.enum(postStatuses).optional(),
  draft: z.boolean().optional(),
  published: z.boolean().optional(),
  unlisted: z.boolean().optional(),
  lang: text.optional(),
  excerpt: text.optional(),
  description: text.optional(),
  cover: text.optional(),
  coverAlt: text.optional(),
  tags: z
    .union([z.array(text), text.transform((line) => line.split(",").map((tag) => tag.trim()))])
    .optional(),
  aliases: list.optional(),
  redirect_from: list.optional(),
});

/** The posts of a folder or archive, in the order of their paths. */
export async function* markdownPosts({ files }: Source): AsyncGenerator<Found> {
  for (const file of files.values()) if (/\.(?:md|markdown)$/i.test(file.path)) yield await postOf(file);
}

async function postOf(file: SourceFile): Promise<Found> {
  const { path: source } = file;
  const t = translator("importing");
  const unreadable = (reason: string): Found => ({ kind: "unreadable", source, reason });
  if (file.bytes > 1_000_000) return unreadable(t("reason.tooLong"));
  const bytes = await file.read().catch(() => undefined);
  if (!bytes) return unreadable(t("reason.damaged"));
  const read = readFrontMatter(bytes.toString("utf8"));
  if (read.kind === "unreadable") {
    const { fault } = read;
    if (typeof fault === "object") return unreadable(t("reason.yaml", { line: fault.yaml }));
    if (fault === "too-long") return unreadable(t("reason.longProperties", { maximum: frontMatterMaximum }));
    return unreadable(t(fault === "no-properties" ? "reason.noProperties" : `reason.${fault}`));
  }
  // A name without a value is as good as none.
  const given = Object.fromEntries(Object.entries(read.properties).filter(([, value]) => value !== null));
  const parsed = head.safeParse(given, inReadersLanguage());
  if (!parsed.success) return unreadable(firstFault(parsed.error));
  return { kind: "post", post: postFrom(file, read.text, parsed.data) };
}

function postFrom(file: SourceFile, text: string, given: z.infer<typeof head>): ParsedPost {
  const [, day, name = ""] = /^(?:(\d{4}-\d{2}-\d{2})-)?(.+)$/.exec(nameOf(file.path)) ?? [];
  const t = translator("importing");
  const notes: string[] = [];
  const date = dateFrom(given.date ?? day);
  if (date === undefined) notes.push(t("note.fileTime"));
  const formerSlugs: string[] = [];
  for (const address of [...(given.aliases ?? []), ...(given.redirect_from ?? [])]) {
    const slug = slugOfAlias(address);
    if (slug === undefined) notes.push(t("note.formerAddress", { address }));
    else formerSlugs.push(slug);
  }
  return {
    source: file.path,
    title: given.title ?? /^#\s+(.+)$/m.exec(text)?.[1] ?? name,
    content: text,
    slug: given.slug ?? name,
    date: date ?? Math.floor(file.changedAt / 1000) * 1000,
    updated: dateFrom(given.updated ?? given.lastmod),
    author: given.author,
    status: given.status ?? (given.draft || given.published === false ? "draft" : "published"),
    isUnlisted: given.unlisted ?? false,
    lang: given.lang,
    excerpt: given.excerpt ?? given.description,
    cover: given.cover,
    coverAlt: given.coverAlt,
    tags: given.tags ?? [],
    formerSlugs,
    notes,
  };
}

/** A file's name without its ending; of a folder's `index.md` the folder's. */
function nameOf(path: string): string {
  const [file = "", folder] = path.split("/").reverse();
  const name = file.replace(/\.(?:md|markdown)$/i, "");
  return folder !== undefined && /^_?index$/i.test(name) ? folder : name;
}

/** The fault of a value, with its name. */
export function firstFault({ issues: [issue] }: z.ZodError): string {
  return translator("importing")("reason.field", {
    name: issue?.path.join(".") ?? "",
    problem: issue?.message ?? "",
  });
}

/**
 * A date in milliseconds, as UTC where no zone is given.
 * Undefined without a text, NaN when it is not a date.
 */
export function dateFrom(text: string | undefined | null): number | undefined {
  if (!text) return undefined;
  const plain = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(Z|[+-]\d{2}:?\d{2})?$/.exec(
    text,
  );
  if (!plain) return Date.parse(text);
  const zone = plain[3]?.replace(/^([+-]\d{2})(\d{2})$/, "$1:$2") ?? "Z";
  return Date.parse(`${plain[1]}T${plain[2]}${zone}`);
}
