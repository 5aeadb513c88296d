import { z } from "zod";
import { translator } from "../i18n/index.ts";
import { line, lines, reason } from "../validation.ts";
import { contentMaximum, titleMaximum } from "./lengths.ts";
import { optionSchemas } from "./option-schemas.ts";

/** Longer than any language tag in use. */
const languageTagMaximum = 35;

/** A language as a tag of BCP 47; "" and null for the detected one. */
const lang = z
  .string({ error: () => translator("validation")("language") })
  .transform((tag, context) => {
    if (tag === "") return null;
    try {
      return new Intl.Locale(tag.trim().slice(0, languageTagMaximum)).toString();
    } catch {
      context.addIssue({ code: "custom", message: translator("validation")("language") });
      return z.NEVER;
    }
  })
  .nullable()
  .describe("The text's language as a tag of BCP 47, such as en or fa; null to detect it from the text.");

/** A post's input, for form and API. */
export const postSchema = z.object(
  {
    title: line("title", 1, titleMaximum),
    content: lines("content", 1, contentMaximum),
    lang: lang.optional(),
    draft: optionSchemas.draft.optional(),
    publishAt: optionSchemas.publishAt.optional(),
    unlisted: optionSchemas.unlisted.optional(),
    slug: optionSchemas.slug.optional(),
    excerpt: optionSchemas.excerpt.optional(),
    tags: optionSchemas.tags.optional(),
    cover: optionSchemas.cover.optional(),
  },
  "A post is an object with title and content.",
);

const changeable = Object.keys(postSchema.shape);

/** A change of some fields of a post. */
export const postChangeSchema = postSchema
  .partial()
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    error: () => translator("validation")("noPostChange", { fields: changeable.join(", ") }),
  })
  .meta({ anyOf: changeable.map((name) => ({ required: [name] })) });

export type PostChange = z.infer<typeof postChangeSchema>;

export const postDecisions = ["unpublish", "publish", "feature", "unfeature"] as const;
export type PostDecision = (typeof postDecisions)[number];

/** An administrator's decision on a post. */
export const postDecisionSchema = z.object({
  decision: z.enum(postDecisions),
  why: reason,
});
