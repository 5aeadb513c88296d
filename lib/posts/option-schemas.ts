/** Schemas of an author's options for a post besides its text. */
import { z } from "zod";
import type { Tag } from "../../db/types.ts";
import { translator } from "../i18n/index.ts";
import { imageAt } from "../media/address.ts";
import { line, lines } from "../validation.ts";
import { excerptMaximum, tagMaximum, tagsMaximum } from "./lengths.ts";
import { chosenSlug, hasWord, savedSlugMaximum, tagSlugFrom } from "./slug.ts";

type Fault = keyof typeof import("../i18n/messages/en/validation.ts")["validation"]["post"];

const fault = (kind: Fault) => ({
  error: () =>
    translator("validation")(`post.${kind}`, { maximum: kind === "tagTooLong" ? tagMaximum : tagsMaximum }),
});

/** The latest date of a post: the end of the year 2999. */
export const latestPostDate = Date.UTC(3000, 0, 1) - 1;
const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** A time with its offset from UTC, in milliseconds; "" and null for none. */
const publishAt = z
  .string(fault("time"))
  .transform((text, context) => {
    if (text.trim() === "") return null;
    const at = timePattern.test(text) ? Date.parse(text) : Number.NaN;
    if (at >= 0 && at <= latestPostDate) return at;
    context.addIssue({ code: "custom", message: translator("validation")("post.time") });
    return z.NEVER;
  })
  .nullable()
  .meta({ format: "date-time" })
  .describe(
    "When the post is published, with an offset from UTC. In the future: it is a draft until then. In the past: it is published at once with that date. Null: a scheduled post is a draft again.",
  );

/** A slug as it will be; "" for the one made of the title, or the present one. */
const slug = line("slug", 0, savedSlugMaximum)
  .transform((text, context) => {
    if (text === "") return undefined;
    const chosen = chosenSlug(text);
    if (chosen !== null) return chosen;
    context.addIssue({ code: "custom", message: translator("validation")("post.slug") });
    return z.NEVER;
  })
  .describe(
    "The last part of the post's address. Without one it is made of the title. A former one leads to the present one.",
  );

const excerpt = lines("excerpt", 0, excerptMaximum)
  .transform((text) => text.trim() || null)
  .nullable()
  .describe("The excerpt shown in lists; null for the beginning of the post's text.");

/**
 * Characters that are left out of a tag's name.
 * Emoji, decoration and invisible characters but joiners.
 * The first published post with a tag gives the name to all later ones. Control and half characters are refused.
 */
const notOfTags =
  /(?!\u200C|\u200D)(?:\p{Default_Ignorable_Code_Point}|[^\p{L}\p{M}\p{N}\p{Cc}\p{Cs}\s'’.&+#/_-])/gu;

/** Tags by name, each slug once. */
const tags = z
  .array(
    z
      .string(fault("tags"))
      .transform((name) => name.normalize("NFC").replace(notOfTags, "").replace(/\s+/gu, " ").trim())
      .refine((name) => name.length <= tagMaximum, fault("tagTooLong"))
      .refine((name) => name.isWellFormed() && !/\p{Cc}/u.test(name) && hasWord(name), fault("tag")),
    fault("tags"),
  )
  .max(10 * tagsMaximum, fault("tooManyTags"))
  .transform((names): Tag[] => {
    const bySlug = new Map(names.toReversed().map((name) => [tagSlugFrom(name), name]));
    return [...bySlug].map(([tagSlug, name]) => ({ slug: tagSlug, name })).toReversed();
  })
  .refine((chosen) => chosen.length <= tagsMaximum, fault("tooManyTags"))
  .describe(
    `At most ${tagsMaximum} tags by name. Two names that differ in case only are one tag, named as in the first published post.`,
  );

/** The address of an image; "" and null for none. */
const cover = z
  .string(fault("cover"))
  .transform((address, context) => {
    if (address === "") return null;
    const image = imageAt(address);
    if (image) return image;
    context.addIssue({ code: "custom", message: translator("validation")("post.cover") });
    return z.NEVER;
  })
  .nullable()
  .describe("The address of one of your images, shown above the text and in lists; null for none.");

/** The options of a post, for form and API. */
export const optionSchemas = {
  draft: z
    .boolean({ error: () => translator("validation")("draft") })
    .describe(
      "Whether the post is a draft, which only its author sees. A published post cannot become a draft again.",
    ),
  publishAt,
  unlisted: z
    .boolean({ error: () => translator("validation")("unlisted") })
    .describe("Whether the post is in no list, feed, sitemap or search, and is read by its link only."),
  slug,
  excerpt,
  tags,
  cover,
};
