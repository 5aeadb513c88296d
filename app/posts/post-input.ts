/** The fields of a post's form as input of its schema. */
import type { FormState } from "@/app/_components/form";
import { formInput, sentDraft, sentTexts, textValues } from "@/app/_components/form-data";
import { translator } from "@/lib/i18n";
import type { ReadPost } from "@/lib/posts";
import { isSlugOf } from "@/lib/posts/slug";
import { tagNames } from "@/lib/posts/tag-names";
import { answerTooLargeForm } from "@/lib/request/form-too-large";

/** The values of the form's fields for a post as it is saved, or for a new one. */
export function savedFields(post?: ReadPost) {
  const isPublished = post !== undefined && post.publishedAt !== null;
  const comma = translator("writing")("options.comma");
  return {
    title: post?.title ?? "",
    content: post?.content ?? "",
    lang: post?.chosenLang ?? "",
    tags: post?.tags.map(({ name }) => name).join(comma) ?? "",
    excerpt: post?.chosenExcerpt ?? "",
    cover: post?.cover ?? "none",
    coverAddress: "",
    visibility: post?.isUnlisted ? "unlisted" : "listed",
    publishAt: dateValue(post?.publishedAt ?? post?.publishAt ?? null),
    // The address of a draft follows its title until its author chooses one.
    slug: post && (isPublished || !isSlugOf(post.slug, post.title)) ? post.slug : "",
  };
}

/** A time as a field of dates has it, in UTC, to the minute. */
function dateValue(at: number | null): string {
  return at === null ? "" : new Date(at).toISOString().slice(0, 16);
}

/** The submitted fields, also the hidden ones, to be shown again. */
export function postValues(form: FormData): Record<string, string> {
  const values = textValues(form, ...Object.keys(savedFields()), "post", "version", "idempotencyKey");
  const { content } = sentTexts(form, "content");
  if (content !== undefined && values.content === undefined) answerTooLargeForm(content);
  return values;
}

/**
 * The input.
 * `shownDate` is the date that the form showed, which stays to the millisecond.
 */
export function postInput(form: FormData, shownDate: number | null = null): Record<string, unknown> {
  const { publishAt, visibility, tags, cover } = sentTexts(form, "publishAt", "visibility", "tags", "cover");
  const named = sentTexts(form, "coverAddress").coverAddress?.trim();
  const draft = sentDraft(form);
  const isSameDate = shownDate !== null && publishAt === dateValue(shownDate);
  const isNow = sentTexts(form, "draft").draft === "now";
  // A draft has no date: it is chosen when the post is published.
  const hasDate = publishAt !== undefined && draft !== true && !isNow && !isSameDate;
  return {
    ...formInput(form, "title", "content", "lang", "slug", "excerpt"),
    // A typed address comes before the chosen image, also as a line of Markdown from the writer's images.
    cover: named ? (/\/media\/[^\s"')]+/.exec(named)?.[0] ?? named) : cover === "none" ? null : cover,
    draft,
    publishAt: hasDate ? publishAt && `${publishAt}Z` : undefined,
    unlisted: visibility === undefined ? undefined : visibility === "unlisted",
    tags: tags === undefined ? undefined : tagNames(tags),
  };
}

/** A form's state with the cover's error at the field for its address, if filled. */
export function withCoverError(state: FormState): FormState {
  if (!state.errors?.cover || !state.values?.coverAddress?.trim()) return state;
  const { cover: _, ...errors } = state.errors;
  return { ...state, errors: { ...errors, coverAddress: [translator("media")("cover.unknown")] } };
}

/** The confirmation of a post that was saved. */
export function doneWith({ isPublished, publishAt }: { isPublished: boolean; publishAt: number | null }) {
  return isPublished ? "published" : publishAt === null ? "draft" : "scheduled";
}
