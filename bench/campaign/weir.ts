/**
 * This project's scoring method, with its defaults.
 * The limiter of a post, its flood detector, tally and settled score, put together from the app's own pure functions
 * as `lib/ratings` does it with the database. `weir-database.ts` plays the same through the database.
 */

import { limitsFrom } from "../../lib/limits/index.ts";
import { scoringFrom } from "../../lib/ratings/tally/scoring-settings.ts";
import { TalliedPost } from "../../lib/ratings/tally/tallied-post.ts";
import { parseSettings } from "../../lib/settings/env.ts";
import { scoreGiven } from "./ledger.ts";
import type { ScoredPost, ScoringMethod } from "./public-score.ts";

const settings = parseSettings({});
const policies = limitsFrom(settings)["rating.post"];

const weir: ScoringMethod = { name: "Weir", make };
export default weir;

function make(): ScoredPost {
  const post = new TalliedPost(scoringFrom(settings));
  const states = new Map<string, { next: unknown; expiresAt: number | undefined }>();

  /** Whether the limits refuse the rating; changes have states of their own. */
  function isRefused(at: number, isFirst: boolean): boolean {
    const allowed = policies.map(({ name, algorithm }) => {
      const key = isFirst ? name : `${name}:changes`;
      const { next: state, expiresAt = Number.POSITIVE_INFINITY } = states.get(key) ?? {};
      const step = algorithm.step(expiresAt > at ? state : undefined, at, 1);
      if (step.next !== undefined) states.set(key, { next: step.next, expiresAt: step.expiresAt });
      return step.decision.allowed;
    });
    return allowed.includes(false);
  }

  return {
    rate(at, given, userId, { registeredAt } = {}) {
      const score = scoreGiven(given);
      if (isRefused(at, !post.ratings.has(userId))) return "refused";
      post.rate(at, userId, score, { registeredAt: registeredAt ?? null });
      return post.statusOf(userId) === "counted" ? "counted" : "held";
    },
    withdraw: (at, userId) => post.withdraw(at, userId),
    score: (at) => post.scoreAt(at),
    statusOf(at, userId) {
      post.advanceTo(at);
      return post.statusOf(userId);
    },
    exclude(at) {
      post.advanceTo(at);
      for (const { number, status } of post.tally.windows)
        if (status === "held") post.decide(at, number, "excluded");
    },
    decide: (at, window, status) => post.decide(at, window, status),
  };
}
