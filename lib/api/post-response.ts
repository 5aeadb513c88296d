import { quotedEtag } from "../http/etag.ts";
import { versionOf } from "../posts/version.ts";
import { shown } from "./posts.ts";
import { json } from "./route.ts";

/** A post with its content, and the version of it that a change can name. */
export function postResponse(
  post: Parameters<typeof shown>[0],
  now: number,
  { headers = {}, ...init }: { status?: number; headers?: Record<string, string> } = {},
): Response {
  return json(shown(post, now), { ...init, headers: { ETag: quotedEtag(versionOf(post)), ...headers } });
}
