/** Saves the change of a post's date. */
import type { Database, Post } from "../../db/index.ts";
import type { Publication } from "./options.ts";
import { publish } from "./publishing.ts";

/** A post as it was saved. */
export interface SavedPost {
  slug: string;
  isPublished: boolean;
  /** When it will be published; null when it is not scheduled. */
  publishAt: number | null;
}

export async function applyPublication(
  database: Database,
  id: number,
  publication: Publication,
  now: number,
): Promise<void> {
  switch (publication.kind) {
    case "unchanged":
      return;
    case "draft":
      return database.posts.setPublishAt(id, null);
    case "scheduled":
      return database.posts.setPublishAt(id, publication.at);
    case "published":
      await publish(database, id, { publishedAt: publication.at, now });
      return;
    case "dated":
      return database.posts.setPublishedAt(id, publication.at);
  }
}

/** When the post is or will be published; `post` is null for a new one. */
export function outcomeOf(
  publication: Publication,
  post: Pick<Post, "publishedAt" | "publishAt"> | null = null,
): Omit<SavedPost, "slug"> {
  switch (publication.kind) {
    case "unchanged":
      return { isPublished: post?.publishedAt != null, publishAt: post?.publishAt ?? null };
    case "draft":
      return { isPublished: false, publishAt: null };
    case "scheduled":
      return { isPublished: false, publishAt: publication.at };
    default:
      return { isPublished: true, publishAt: null };
  }
}
