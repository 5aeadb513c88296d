/** Schemas of posts' earlier texts in the JSON API. */
import { z } from "zod";
import type { ComparedRevision } from "../posts/revisions.ts";

const revisionAnswer = z.object({
  id: z.int(),
  title: z.string(),
  savedAt: z.iso.datetime().describe("When this text was saved."),
});

export const revisionListAnswer = z.object({ items: z.array(revisionAnswer).describe("The newest first.") });

export const revisionTextAnswer = revisionAnswer.extend({ content: z.string().describe("Markdown.") });

const parts = z.array(z.object({ kind: z.enum(["same", "removed", "added"]), text: z.string() }));

export const changesAnswer = revisionAnswer.omit({ title: true }).extend({
  same: z.boolean().describe("Whether title and content are as they were."),
  title: parts,
  content: parts.describe(
    "In their order: joined without those added they are the earlier text, without those removed the present one.",
  ),
  compared: z
    .boolean()
    .describe(
      "False where the contents have too little in common to be compared: then one is removed, the other added.",
    ),
  missingImages: z.int().min(0).describe("How many images of the earlier text were removed since."),
});

interface Revision {
  id: number;
  title: string;
  savedAt: number;
}

/** An earlier text as an item of the list. */
export function shownRevision({ id, title, savedAt }: Revision): z.infer<typeof revisionAnswer> {
  return { id, title, savedAt: new Date(savedAt).toISOString() };
}

/** An earlier text with its content. */
export function shownRevisionText(
  revision: Revision & { content: string },
): z.infer<typeof revisionTextAnswer> {
  return { ...shownRevision(revision), content: revision.content };
}

/** The changes since an earlier text; undefined when it could not be compared now. */
export function shownChanges({
  id,
  savedAt,
  isSame,
  title,
  content,
  texts,
  missingImages,
}: ComparedRevision): z.infer<typeof changesAnswer> | undefined {
  if (content === "busy") return undefined;
  const compared = typeof content !== "string";
  return {
    id,
    savedAt: new Date(savedAt).toISOString(),
    same: isSame,
    title,
    content: compared ? content : texts,
    compared,
    missingImages,
  };
}
