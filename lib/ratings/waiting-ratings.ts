/**
 * Ratings of new accounts.
 * Saved and shown as the rater's own, and counted once the account is old enough.
 *
 * They are apart from the ratings that count. When its time has come, such a rating is given as if its user gave it at that
 * moment: the limits, the flood windows and the settled score see it then and in no other way.
 */
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { unknownAddress } from "../request/current-request.ts";
import { hourMs, minuteMs } from "../time/units.ts";
import { countWaitingRating, type RatingContext, type RatingOutcome } from "./index.ts";

const batch = 100;
/** Batches per round. */
const batchesMaximum = 20;
const pauseAtLeastMs = minuteMs;
const pauseAtMostMs = hourMs;

/**
 * Counts the ratings due by `now`, up to a number.
 * Resolves to how many ratings were counted or saved in a flood window. A post that is over its limit has its next try
 * in another round: people's ratings at this moment need room, too.
 *
 * None is counted while `now` is not trusted: at that time its rating would be of the future, and at an earlier one the
 * limits, which people's ratings use at `now`, would go back.
 */
export async function countWaiting(context: RatingContext, now: number, trusted = now): Promise<number> {
  if (trusted < now) return 0;
  const { waitingRatings } = context.database;
  /** When the posts over their limit are tried again. */
  const fullUntil = new Map<number, number>();
  let counted = 0;
  for (let batches = 0; batches < batchesMaximum; batches += 1) {
    const due = await waitingRatings.due(now, batch);
    for (const { postId, slug, userId, username } of due) {
      await yieldToEventLoop(); // SQLite answers without a turn of the event loop
      const later = fullUntil.get(postId);
      if (later !== undefined) {
        await waitingRatings.postpone(postId, userId, later);
        continue;
      }
      const user = { id: userId, username };
      const outcome = await countWaitingRating(context, { slug, user, address: unknownAddress, now });
      switch (outcome.kind) {
        case "saved":
        case "held":
          counted += 1;
          break;
        case "limited":
        case "denied":
        case "unavailable":
        case "not-logged-in": {
          const until = now + pauseAfter(outcome);
          if (outcome.kind === "limited" && outcome.refusal.counts === "rating.post")
            fullUntil.set(postId, until);
          await waitingRatings.postpone(postId, userId, until);
          break;
        }
        default:
          await waitingRatings.remove(postId, userId);
      }
    }
    if (due.length < batch) break;
  }
  return counted;
}

/** How long a refused rating waits before it is tried again, in milliseconds. */
function pauseAfter(
  outcome: Extract<RatingOutcome, { kind: "limited" | "denied" | "unavailable" | "not-logged-in" }>,
): number {
  const limitMs = outcome.kind === "limited" ? outcome.refusal.decision.retryAfterMs : 0;
  return Math.min(Math.max(limitMs, pauseAtLeastMs), pauseAtMostMs);
}
