import { z } from "zod";
import { translator } from "../i18n/index.ts";
import { line, lines } from "../validation.ts";
import { contentMaximum, titleMaximum } from "./lengths.ts";

/** Longer than any tag in use. */
const tagMaximum = 35;

/** A language as a tag of BCP 47; "" and null for the detected one. */
const lang = z
  .string({ error: () => translator("validation")("language") })
  .transform((tag, context) => {
    if (tag === "") return null;
    try {
      return new Intl.Locale(tag.trim().slice(0, tagMaximum)).toString();
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
  },
  "A post is an object with title and content.",
);

/** A change of title, content, language, or several of them. */
export const postChangeSchema = postSchema
  .partial()
  .refine(
    (change) => Object.values(change).some((value) => value !== undefined),
    "Give a title, a content, a lang, or several of them.",
  )
  .meta({ anyOf: [{ required: ["title"] }, { required: ["content"] }, { required: ["lang"] }] });

/** An administrator's decision on a post. */
export const postDecisionSchema = z.object({
  decision: z.enum(["unpublish", "publish", "feature", "unfeature"]),
  why: lines("reason", 1, 500),
});
