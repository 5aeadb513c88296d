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
import { starsCookieMs, starsCookieName } from "@/lib/auth/cookie-names";
import { log } from "@/lib/logging/log";
import { postPath, textFromPath } from "@/lib/paths";
import { readPost } from "@/lib/posts";
import { clientAddress } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";
import type { User } from "@/lib/users";
import { rate } from "./rate";
import { ratedPath } from "./rating-notice";

/** The post's page with this choice preselected. */
export function chosenPath(slug: string, score: number | null): string {
  return `${postPath(slug)}${score === null ? "" : `?stars=${score}`}#your-rating`;
}

/** The choice in a page's address; null without one. */
export function chosenStars(value: unknown): number | null {
  return typeof value === "string" && /^[0-5]$/.test(value) ? Number(value) : null;
}

/** Keeps a choice, by its path, in this browser. */
export async function keepChosenStars(path: string): Promise<void> {
  const cookie = await starsCookie();
  (await cookies()).set({ ...cookie, value: path, maxAge: starsCookieMs / 1_000 });
}

/** The cookie of a choice. */
async function starsCookie() {
  const options = await cookieOptions();
  return { ...options, name: starsCookieName(options.secure), path: "/" };
}

/** The stars that a log-in saves when it returns to `path`; null for none. */
export async function keptStars(path: string): Promise<number | null> {
  const { name } = await starsCookie();
  const kept = (await cookies()).get(name)?.value;
  return kept === path ? chosenStars(new URL(path, "http://weir.invalid").searchParams.get("stars")) : null;
}

/**
 * Saves the choice kept for `path`, for a user who has just logged in.
 * Returns the path to continue on. That is `path`, where the choice is preselected, after a refusal or a failure, and for
 * a user who has rated the post before.
 */
export async function saveKeptChoice(user: User, path: string): Promise<string> {
  const score = await keptStars(path);
  if (score === null) return path;
  (await cookies()).delete(await starsCookie());
  const slug = textFromPath(path.slice(postPath("").length).split("?", 1)[0] ?? "");
  if (slug === null) return path;
  const now = currentTime();
  try {
    if ((await readPost(app(), slug, user))?.myRating) return path;
    const rated = await rate({ slug, user, address: clientAddress(), input: { score }, now });
    return rated.kind === "rated" ? ratedPath(rated.notice, { slug, reader: user, now }) : path;
  } catch (err) {
    // The user is logged in already: the choice is preselected, to be saved again.
    log.error({ err }, "A rating that was chosen before the log-in could not be saved");
    return path;
  }
}
