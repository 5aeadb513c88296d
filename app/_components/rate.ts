/** Rating from the post's page, for its form and its script. */

import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { findPost, presentSlugOf } from "@/lib/posts";
import { type RatingRequest, saveRatingOf, withdrawRating } from "@/lib/ratings";
import { publicScore, ratingsForScore } from "@/lib/ratings/tally/public-score";
import { scoring } from "@/lib/ratings/tally/scoring-settings";
import type { User } from "@/lib/users";
import type { FormState } from "./form";
import { refused } from "./form-data";
import type { RatedNotice } from "./rating-notice";

type Rated =
  | { kind: "rated"; notice: RatedNotice }
  | { kind: "refused"; state: FormState }
  | { kind: "not-logged-in" }
  | { kind: "no-such-post" };

/** Saves the reader's rating; `input` is unvalidated: `{ score }`. */
export async function rate(request: RatingRequest): Promise<Rated> {
  const before = await shownScore(request);
  const outcome = await saveRatingOf(app(), request);
  if (outcome.kind === "no-such-post") {
    // The post's address was changed while its page was open.
    const slug = await presentSlugOf(app(), request.slug, null);
    return slug === null ? outcome : rate({ ...request, slug });
  }
  switch (outcome.kind) {
    case "saved": {
      const hasMoved = before === null || (await shownScore(request)) !== before;
      return { kind: "rated", notice: hasMoved ? "counted" : "slow" };
    }
    case "held":
    case "waiting":
      return { kind: "rated", notice: "uncounted" };
    case "limited":
    case "denied":
    case "unavailable":
      return { kind: "refused", state: refused(outcome, request.now) };
    case "invalid":
      return { kind: "refused", state: { errors: outcome.errors } };
    case "already-rated":
    case "not-rated":
      return { kind: "refused", state: { errors: { form: [translator("rating")("changedMeanwhile")] } } };
    case "not-logged-in":
      return outcome;
  }
}

/** Withdraws the reader's rating; nothing is left to do when there is none. */
export async function withdraw(
  slug: string,
  user: User,
  now: number,
): Promise<Extract<Rated, { kind: "rated" | "no-such-post" }>> {
  const { kind } = await withdrawRating(app(), { slug, userId: user.id, now });
  const present = kind === "no-such-post" ? await presentSlugOf(app(), slug, user) : null;
  if (present !== null) return withdraw(present, user, now);
  return kind === "no-such-post" ? { kind } : { kind: "rated", notice: "withdrawn" };
}

/** The score as the page shows it; null while it shows none. */
async function shownScore({ slug, now }: RatingRequest): Promise<string | null> {
  const post = await findPost(app(), slug, null);
  if (!post) return null;
  const { settled, count } = publicScore(post, now, scoring);
  return settled === null || count < ratingsForScore ? null : settled.toFixed(2);
}
