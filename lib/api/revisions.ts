/** Schemas of posts' earlier texts in the JSON API. */
import { z } from "zod";

const revisionAnswer = z.object({
  id: z.int(),
  title: z.string(),
  savedAt: z.iso.datetime().describe("When this text was saved."),
});

export const revisionListAnswer = z.object({ items: z.array(revisionAnswer).describe("The newest first.") });

export const revisionTextAnswer = revisionAnswer.extend({ content: z.string().describe("Markdown.") });

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
