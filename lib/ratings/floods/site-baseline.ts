/**
 * The usual pattern of the whole site, from some of its posts.
 * The prior for a new post. Pure.
 */
import { type Counts, countsFrom } from "../../../db/counts.ts";
import type { ExamplePost } from "../../../db/index.ts";
import { hourMs } from "../../time/units.ts";
import { scoreFrom } from "../score/score.ts";
import { baselineDefaults, type SiteBaseline } from "./flood-detector.ts";

/**
 * The conditions for a post to be an example.
 * A few accounts must not be able to set the usual pattern, nor to do it at once.
 */
export function examplesAt(now: number): { fewest: number; firstRatedBefore: number; limit: number } {
  return { fewest: 10, firstRatedBefore: now - 24 * hourMs, limit: 50 };
}

/**
 * The largest usual share of a score.
 * More would let a flood of it pass on a new post.
 */
const largestShare = 0.4;
/** How many posts the defaults count as. */
const defaultWeight = 5;

/** Each post has the same weight, so that a flooded one does not set the pattern. */
export function siteBaseline(posts: readonly ExamplePost[]): SiteBaseline {
  const { perHour, scores, ages } = baselineDefaults;
  const usual = (byDefault: number, values: readonly number[]) =>
    values.reduce((total, value) => total + value, defaultWeight * byDefault) /
    (defaultWeight + values.length);
  return {
    // The geometric mean: rates differ by orders of magnitude.
    perHour: Math.exp(usual(Math.log(perHour), posts.map(perHourOf).map(Math.log))),
    scores: bounded(
      countsFrom((score) =>
        usual(
          scores[score],
          posts.map(({ counts }) => counts[score] / Math.max(1, scoreFrom(counts).count)),
        ),
      ),
    ),
    ages: ages.map((byDefault, band) =>
      usual(
        byDefault,
        posts.flatMap(({ detector }) => shareOf(detector?.ages ?? [], band)),
      ),
    ),
  };
}

/** Shares moved towards the defaults until none is above `largestShare`. */
function bounded(shares: Counts): Counts {
  const { scores } = baselineDefaults;
  const moved = shares.map((share, score) =>
    share > largestShare ? (share - largestShare) / (share - (scores[score] ?? 0)) : 0,
  );
  const part = Math.max(...moved);
  return countsFrom((score) => shares[score] + part * (scores[score] - shares[score]));
}

function perHourOf({ raters, firstAt, lastRaterAt }: ExamplePost): number {
  return raters / Math.max(1, (lastRaterAt - firstAt) / hourMs);
}

/** None where no age is known. */
function shareOf(weights: readonly number[], index: number): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return total === 0 ? [] : [(weights[index] ?? 0) / total];
}
