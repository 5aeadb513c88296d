/** The law by itself: the settled score with every rating counted and none held. */
import { emptyReplay, replayMaximum, replayOrder, withReplayed } from "../../lib/ratings/score/replay.ts";
import { sumOf } from "../../lib/ratings/score/score.ts";
import {
  settledByChange,
  settledByNewRating,
  settledScoreAt,
  settlingDefaults,
  unrated,
} from "../../lib/ratings/score/settled-score.ts";
import { Ledger, scoreGiven } from "./ledger.ts";
import type { ScoringMethod } from "./public-score.ts";

export const settledAlone: ScoringMethod = {
  name: "settled score alone",
  make() {
    const ledger = new Ledger();
    let state = unrated;
    return {
      /** A user who has rated before is not new, also after withdrawing that rating. */
      rate(at, given, userId) {
        const [before, score, isNew] = [ledger.counts, scoreGiven(given), !ledger.knows(userId)];
        ledger.put(userId, score, at);
        state = isNew
          ? settledByNewRating(state, at, before, score)
          : settledByChange(state, at, before, ledger.counts);
        return "counted";
      },
      withdraw(at, userId) {
        const before = ledger.counts;
        ledger.put(userId, null, at);
        if (sumOf(ledger.counts).count <= replayMaximum) {
          const rest = ledger.ratings().toSorted(replayOrder);
          state = withReplayed(emptyReplay, rest, settlingDefaults).settled;
        } else state = settledByChange(state, at, before, ledger.counts);
      },
      score: (at) => settledScoreAt(state, at, ledger.counts),
    };
  },
};
