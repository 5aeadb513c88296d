/**
 * This project's way, with its defaults where floods are held: the limiter of a post, its tally and its settled score, put
 * together from the app's own pure functions as `lib/ratings` does it with the database. `weir-database.ts` plays the
 * same through the database.
 */

import { limitsFrom } from "../../lib/limits/index.ts";
import { scoringFrom } from "../../lib/ratings/scoring.ts";
import { usualGapMs } from "../../lib/ratings/tally-ratings.ts";
import { parseSettings } from "../../lib/settings/env.ts";
import { TalliedPost } from "../../testing/tallied-post.ts";
import { scoreGiven } from "./ledger.ts";
import type { PublicScore, Way } from "./public-score.ts";

const settings = parseSettings({ RATING_OVERFLOW: "hold" });
const policies = limitsFrom(settings)["rating.post"];

const weir: Way = { name: "Weir", make };
export default weir;

function make(): PublicScore {
  const post = new TalliedPost(scoringFrom(settings));
  const states = new Map<string, { next: unknown; expiresAt: number | undefined }>();

  /** What the limit says that the rating is over, if it is over one. */
  function overLimit(at: number) {
    const decisions = policies.map(({ name, algorithm }) => {
      const { next: state, expiresAt = Number.POSITIVE_INFINITY } = states.get(name) ?? {};
      const step = algorithm.step(expiresAt > at ? state : undefined, at, 1);
      if (step.next !== undefined) states.set(name, { next: step.next, expiresAt: step.expiresAt });
      return step.decision;
    });
    return decisions.find(({ allowed }) => !allowed);
  }

  return {
    rate(at, given, userId) {
      const score = scoreGiven(given);
      const over = overLimit(at);
      post.rate(at, userId, score, over && usualGapMs(over.reason, post.tally.settled, at));
      return post.statusOf(userId) === "counted" ? "counted" : "held";
    },
    withdraw: (at, userId) => post.withdraw(at, userId),
    score: (at) => post.scoreAt(at),
    statusOf(at, userId) {
      post.bringUpTo(at);
      return post.statusOf(userId);
    },
    exclude(at) {
      post.bringUpTo(at);
      for (const { number, status } of post.tally.windows)
        if (status === "held") post.decide(at, number, "excluded");
    },
    decide: (at, window, status) => post.decide(at, window, status),
  };
}
