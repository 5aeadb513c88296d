/**
 * A post's text and its HTML, rendered when the post is written.
 * No reader waits for the rendering.
 */
import type { Database, PostSummary, PostText } from "../../db/index.ts";
import { foldForSearch } from "../../db/search-text.ts";
import { translator } from "../i18n/index.ts";
import { type Renderer, rendererVersion } from "../markdown/index.ts";
import type { Invalid } from "../validation.ts";

/** Renders a user's text. Call it outside transactions: it may take seconds. */
export async function renderText(
  renderer: Renderer,
  content: string,
  userId: number,
): Promise<(PostText & PostSummary) | Invalid | { kind: "busy" }> {
  const rendering = await renderer.render(content, `user ${userId}`);
  switch (rendering.kind) {
    case "rendered":
      return { content, html: rendering.html, renderer: rendererVersion, ...rendering.summary };
    case "too-intricate":
      return { kind: "invalid", errors: { content: [translator("validation")("textTooIntricate")] } };
    case "busy":
      return rendering;
  }
}

const batch = 20;

/**
 * Renders the texts that this version of the renderer has not tried.
 * These are texts from before an upgrade, and texts that a node of an earlier version writes. A text that is too
 * intricate stays without HTML, and its page shows it as it was written.
 */
export async function renderMissing(
  { posts }: Pick<Database, "posts">,
  renderer: Renderer,
  clock: () => number,
): Promise<void> {
  for (;;) {
    const texts = await posts.textsToRender(rendererVersion, batch);
    for (const { postId, content } of texts) {
      const rendering = await renderer.render(content, null);
      if (rendering.kind === "busy") return; // writers come first; the next round continues
      const made =
        rendering.kind === "rendered" ? { html: rendering.html, ...rendering.summary } : { html: null };
      await posts.saveHtml(postId, { content, renderer: rendererVersion, ...made }, clock());
    }
    if (texts.length < batch) return;
  }
}

/** A post's title and text, with the words that a search finds. */
export function withSearchText(title: string, text: PostText & Partial<PostSummary>) {
  return { title, ...text, searchTitle: foldForSearch(title), searchContent: foldForSearch(text.content) };
}
