/**
 * Scores without a limiter.
 * Every rating counts at once; they differ in how much.
 */
import { rankPrior } from "../../db/types.ts";
import { scoreFrom } from "../../lib/ratings/score/score.ts";
import { Ledger, scoreGiven } from "./ledger.ts";
import type { ScoringMethod } from "./public-score.ts";

/** The mean of all ratings, each one's latest. */
export const plainMean: ScoringMethod = {
  name: "plain mean",
  make: () => counted((ledger) => ledger.average),
};

/**
 * The weighted mean that film and shop sites rank by.
 * It is n / (n + m) of the post's own mean, and the rest of a prior, which stands for m ratings. The prior is the one by
 * which this blog sorts its top posts.
 */
export const weightedMean: ScoringMethod = {
  name: "weighted mean",
  make: () =>
    counted(({ counts }) => {
      const { average, count } = scoreFrom(counts);
      if (average === null) return null;
      return (count * average + rankPrior.ratings * rankPrior.score) / (count + rankPrior.ratings);
    }),
};

/**
 * An exponential average over the scores in the order of their arrival.
 * Each rating moves it by a tenth of their distance. It keeps no raters, so a changed rating is one more, and a withdrawn
 * one stays in.
 */
export const scoreAverage: ScoringMethod = {
  name: "score EMA, α = 0.1",
  make() {
    let average: number | null = null;
    return {
      rate(_at, score) {
        average = average === null ? score : average + 0.1 * (score - average);
        return "counted";
      },
      score: () => average,
    };
  },
};

function counted(scoreOf: (ledger: Ledger) => number | null): ReturnType<ScoringMethod["make"]> {
  const ledger = new Ledger();
  return {
    rate(_at, score, userId) {
      ledger.put(userId, scoreGiven(score));
      return "counted";
    },
    withdraw: (_at, userId) => ledger.put(userId, null),
    score: () => scoreOf(ledger),
  };
}
