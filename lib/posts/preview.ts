/** A text as a post would show it, before it is saved. */
import type { z } from "zod";
import { checkLimits } from "../limits/check-limits.ts";
import type { Refused } from "../limits/types.ts";
import type { Renderer } from "../markdown/index.ts";
import type { WhoMayWrite } from "../site/schema.ts";
import type { User } from "../users/index.ts";
import { mayWrite } from "../users/writers.ts";
import { type Invalid, validate } from "../validation.ts";
import { postSchema } from "./schema.ts";
import { renderText } from "./text.ts";
import type { NotAWriter, PostContext } from "./types.ts";

export const previewSchema = postSchema.pick({ content: true });

interface PreviewContext extends Omit<PostContext, "renderer"> {
  /** Apart from that of posts: no number of previews keeps a post from being saved. */
  previewRenderer: Renderer;
  whoMayWrite: WhoMayWrite;
}

type PreviewOutcome =
  | { kind: "previewed"; content: string; html: string; detectedLang: string | null }
  | Invalid
  | { kind: "busy" }
  | NotAWriter
  | Refused;

/**
 * Renders a text for its writer, and saves nothing.
 * `input` is unvalidated: `{ content }`.
 */
export async function previewPost(
  { database, limits, guard, previewRenderer, whoMayWrite }: PreviewContext,
  { user, address, input, now }: { user: User; address: string; input: unknown; now: number },
): Promise<PreviewOutcome> {
  // Authors change their posts also when they may not write new ones any more.
  if (!mayWrite(user, whoMayWrite) && !(await database.posts.anyOf(user.id))) return { kind: "not-a-writer" };
  if (user.isPending) return { kind: "denied", isPending: true };
  const validated = validate<z.infer<typeof previewSchema>>(previewSchema, input);
  if (!validated.ok) return { kind: "invalid", errors: validated.errors };
  const client = { address, username: user.username };
  const checked = await checkLimits(guard, { client, checks: [[limits["post.preview"], user.id]], now });
  if (checked.kind !== "allowed") return checked;
  const text = await renderText(previewRenderer, validated.value.content, user.id);
  if ("kind" in text) return text;
  return { kind: "previewed", content: text.content, html: text.html ?? "", detectedLang: text.detectedLang };
}
