/** Ratings as a load: requests to the JSON API by people with a session. */
import type { Blog } from "./cluster.ts";
import type { LoadRequest, LoadUser } from "./load.ts";

/** A user who rates each of these posts, and changes each rating `changes` times. */
export async function rater(
  { cookieOf }: Blog,
  userId: number,
  slugs: readonly string[],
  changes: number,
): Promise<LoadUser> {
  const requests = slugs.flatMap((slug, index): LoadRequest[] => [
    rating("POST", slug, userId + index),
    ...Array.from({ length: changes }, (_, change) => rating("PUT", slug, userId + index + change + 1)),
  ]);
  return { cookie: await cookieOf(userId), requests };
}

function rating(method: "POST" | "PUT", slug: string, number: number): LoadRequest {
  return { method, path: `/api/posts/${slug}/rating`, body: JSON.stringify({ score: number % 6 }) };
}
