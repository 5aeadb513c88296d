/** Where a page of posts ended, as text for an address: what the list is sorted by, and the post's number. */
import { z } from "zod";
import type { Post, Sort } from "../../db/types.ts";
import { scoreFrom } from "../ratings/score.ts";

const cursorSchema = z.tuple([z.enum(["newest", "top", "most-rated"]), z.number(), z.int().positive()]);

/** The cursor behind a post in a list of this sort. */
export function cursorText(post: Post, sort: Sort): string {
  return Buffer.from(JSON.stringify([sort, keyOf(post, sort), post.id])).toString("base64url");
}

/** Where to go on; null when the text is no cursor, or another sort's. */
export function cursorFrom(text: string, sort: Sort): { key: number; id: number } | null {
  try {
    const [of, key, id] = cursorSchema.parse(JSON.parse(Buffer.from(text, "base64url").toString("utf8")));
    return of === sort ? { key, id } : null;
  } catch {
    return null;
  }
}

function keyOf(post: Post, sort: Sort): number {
  switch (sort) {
    case "newest":
      return post.id;
    case "top":
      return post.rankScore;
    case "most-rated":
      return scoreFrom(post.counts).count;
  }
}
