import { z } from "zod";
import { line, lines } from "../validation.ts";
import { contentMaximum, titleMaximum } from "./lengths.ts";

/** A post's input, for form and API. */
export const postSchema = z.object(
  {
    title: line("title", 1, titleMaximum),
    content: lines("content", 1, contentMaximum),
  },
  "A post is an object with title and content.",
);

/** A change of title, content or both. */
export const postChangeSchema = postSchema
  .partial()
  .refine(
    (change) => change.title !== undefined || change.content !== undefined,
    "Give a title, a content, or both.",
  )
  .meta({ anyOf: [{ required: ["title"] }, { required: ["content"] }] });
