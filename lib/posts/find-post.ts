/** Reads a post for a viewer. */
import type { Database, Post, PostText } from "../../db/index.ts";
import type { User } from "../users/types.ts";
import { maySee } from "./permissions.ts";

/** A post that the viewer may see; null if there is none. */
export async function findPost(
  { database }: { database: Database },
  slug: string,
  viewer: User | null,
): Promise<Post | null> {
  const post = await database.posts.bySlug(slug, { unpublished: true, drafts: true });
  return post && maySee(post, viewer) ? post : null;
}

/**
 * The present slug of a post that had this one before, if the viewer may see it.
 * Null when there is none.
 */
export async function presentSlugOf(
  { database }: { database: Database },
  slug: string,
  viewer: User | null,
): Promise<string | null> {
  return ifVisible(database, await database.posts.presentSlug(slug), viewer);
}

/** The present slug of a post; null when there is none that the viewer may see. */
export async function slugOfPost(
  { database }: { database: Database },
  id: number,
  viewer: User | null,
): Promise<string | null> {
  return ifVisible(database, await database.posts.slugOf(id), viewer);
}

/** A slug, if the viewer may see its post. */
async function ifVisible(
  database: Database,
  slug: string | undefined,
  viewer: User | null,
): Promise<string | null> {
  return slug !== undefined && (await findPost({ database }, slug, viewer)) ? slug : null;
}

export async function savedText({ posts }: Database, id: number): Promise<PostText> {
  return (await posts.textOf(id)) ?? { content: "", html: null, renderer: 0 };
}
