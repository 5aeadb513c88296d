/**
 * A visitor's choice of stars, which is saved when the visitor logs in.
 *
 * The path back to the post contains the choice. That path alone only preselects it, as any page can link there. The
 * POST of the choice keeps the path in a cookie too, which no other site can do: a log-in or registration that returns
 * to the same path saves the rating, in its own POST.
 */
import { cookies } from "next/headers";
import { app } from "@/lib/app";
import { cookieOptions } from "@/lib/auth";
import { postPath, textFromPath } from "@/lib/paths";
import { readPost } from "@/lib/posts";
import { clientAddress } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";
import type { User } from "@/lib/users";
import { rate } from "./rate";
import { ratedPath } from "./rating-notice";

const cookieName = "weir-stars";
const validSeconds = 3_600;

/** The post's page with this choice preselected. */
export function chosenPath(slug: string, score: number | null): string {
  return `${postPath(slug)}${score === null ? "" : `?stars=${score}`}#your-rating`;
}

/** The choice in a page's address; null without one. */
export function chosenStars(value: unknown): number | null {
  return typeof value === "string" && /^[0-5]$/.test(value) ? Number(value) : null;
}

/** Keeps a choice, by its path, in this browser. */
export async function keepChoice(path: string): Promise<void> {
  (await cookies()).set(cookieName, path, { ...(await cookieOptions()), maxAge: validSeconds });
}

/** The stars that a log-in saves when it returns to `path`; null for none. */
export async function keptStars(path: string): Promise<number | null> {
  const kept = (await cookies()).get(cookieName)?.value;
  return kept === path ? chosenStars(new URL(path, "http://weir.invalid").searchParams.get("stars")) : null;
}

/**
 * Saves the choice kept for `path`, for a user who has just logged in.
 * Returns the path to continue on. That is `path`, where the choice is preselected, after a refusal, and for a user who
 * has rated the post before.
 */
export async function saveKeptChoice(user: User, path: string): Promise<string> {
  const score = await keptStars(path);
  if (score === null) return path;
  (await cookies()).delete(cookieName);
  const slug = textFromPath(path.slice(postPath("").length).split("?", 1)[0] ?? "");
  if (slug === null) return path;
  if ((await readPost(app(), slug, user))?.myRating) return path;
  const now = currentTime();
  const rated = await rate({ slug, user, address: clientAddress(), input: { score }, now });
  return rated.kind === "rated" ? ratedPath(rated.notice, { slug, reader: user, now }) : path;
}
