/** What is usual on the whole site, from some of its posts: the prior for a new post. Pure. */
import { countsFrom } from "../../db/counts.ts";
import type { RatedPost } from "../../db/types.ts";
import { type UsualRatings, usualDefaults } from "./flood-detector.ts";
import { scoreFrom } from "./score.ts";

const hourMs = 3_600_000;

/** The fewest ratings of a post that is an example, and the most examples. */
export const examplesRead = [10, 50] as const;
/** How many posts the defaults count as. */
const defaultWeight = 5;

/** Each post counts alike, so that one with a flood of ratings does not decide what is usual. */
export function usualFrom(posts: readonly RatedPost[]): UsualRatings {
  const { perHour, scores, ages } = usualDefaults;
  const usual = (byDefault: number, values: readonly number[]) =>
    values.reduce((total, value) => total + value, defaultWeight * byDefault) /
    (defaultWeight + values.length);
  return {
    // The geometric mean: rates differ by orders of magnitude.
    perHour: Math.exp(usual(Math.log(perHour), posts.map(perHourOf).map(Math.log))),
    scores: countsFrom((score) =>
      usual(
        scores[score],
        posts.map(({ counts }) => counts[score] / Math.max(1, scoreFrom(counts).count)),
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

function perHourOf({ raters, firstAt, lastRaterAt }: RatedPost): number {
  return raters / Math.max(1, (lastRaterAt - firstAt) / hourMs);
}

/** None where no age is known. */
function shareOf(weights: readonly number[], index: number): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return total === 0 ? [] : [(weights[index] ?? 0) / total];
}
