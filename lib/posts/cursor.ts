/**
 * Cursors of keyset pagination.
 * Sort, sort key and id of a page's last post, as URL-safe text.
 */
import { z } from "zod";
import type { Post, Sort } from "../../db/index.ts";
import { scoreFrom } from "../ratings/score/score.ts";

const cursorSchema = z.tuple([z.enum(["newest", "top", "most-rated"]), z.number(), z.int().positive()]);

/** The cursor after a post in a list of this sort. */
export function cursorText(post: Post, sort: Sort): string {
  return Buffer.from(JSON.stringify([sort, keyOf(post, sort), post.id])).toString("base64url");
}

/**
 * Parses a cursor; null if it is invalid or of another sort.
 * Earlier versions listed the newest by their ids: such a cursor leads nowhere.
 */
export function cursorFrom(text: string, sort: Sort): { key: number; id: number } | null {
  try {
    const [of, key, id] = cursorSchema.parse(JSON.parse(Buffer.from(text, "base64url").toString("utf8")));
    const isEarlier = of === "newest" && key === id;
    return of === sort && !isEarlier ? { key, id } : null;
  } catch {
    return null;
  }
}

function keyOf(post: Post, sort: Sort): number {
  switch (sort) {
    case "newest":
      return post.publishedAt ?? 0;
    case "top":
      return post.rankScore;
    case "most-rated":
      return scoreFrom(post.counts).count;
  }
}
