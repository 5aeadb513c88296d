/** The settled score with everything counted as it comes and nothing held: what the law does by itself. */
import type { Score } from "../../lib/ratings/scores.ts";
import {
  settledByChange,
  settledByNewRating,
  settledScoreAt,
  unrated,
} from "../../lib/ratings/settled-score.ts";
import { Ledger, scoreGiven } from "./ledger.ts";
import type { Way } from "./public-score.ts";

export const settledAlone: Way = {
  name: "settled score alone",
  make() {
    const ledger = new Ledger();
    let state = unrated;
    /** A user who has rated before is not new, also after withdrawing that rating. */
    const put = (at: number, score: Score | null, userId: number) => {
      const before = ledger.counts;
      const isNew = !ledger.knows(userId);
      ledger.put(userId, score);
      state =
        isNew && score !== null
          ? settledByNewRating(state, at, before, score)
          : settledByChange(state, at, before, ledger.counts);
    };
    return {
      rate(at, score, userId) {
        put(at, scoreGiven(score), userId);
        return "counted";
      },
      withdraw: (at, userId) => put(at, null, userId),
      score: (at) => settledScoreAt(state, at, ledger.counts),
    };
  },
};
