/** Refuses a change of a post that is based on an old version. */
import type { Database, Post } from "../../db/index.ts";
import { savedText } from "./find-post.ts";
import { versionOf } from "./version.ts";

/** The post was changed since the version that the change is based on. */
export type Outdated = { kind: "outdated"; version: string };

/**
 * The refusal of a change unless the post has one of these versions.
 * Undefined for a change that names none. Call it in the transaction that changes the post.
 */
export async function outdatedSince(
  database: Database,
  post: Post,
  versions: readonly string[] | undefined,
): Promise<Outdated | undefined> {
  if (versions === undefined) return undefined;
  const { content } = await savedText(database, post.id);
  const tags = (await database.tags.ofPosts([post.id])).get(post.id) ?? [];
  const version = versionOf({ ...post, content, tags });
  return versions.includes(version) ? undefined : { kind: "outdated", version };
}
