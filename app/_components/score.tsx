import { formatter, translator } from "@/lib/i18n";
import { type Counts, scoreFrom } from "@/lib/ratings/score/score";
import { type PublicScore, ratingsForScore } from "@/lib/ratings/tally/public-score";
import { currentLocale } from "@/lib/request/current-request";

/** A score with two decimals (or `decimals`), or a text without ratings. */
export function scoreText(stars: number | null, decimals = 2, locale = currentLocale()): string {
  if (stars === null) return translator("figures", locale)("notRated");
  return formatter(locale).number(stars, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
}

/** The text in place of a score while no rating counts; some may be held. */
export function noScoreText({ windowCount }: { windowCount: number }, locale = currentLocale()): string {
  return windowCount > 0 ? translator("figures", locale)("noScore") : scoreText(null, 2, locale);
}

/** As "1 rating" or "1,572 ratings". */
export function ratingsText(count: number, locale = currentLocale()): string {
  return translator("figures", locale)("ratings", { count });
}

/**
 * As "27 ratings" or "1,500+ ratings".
 * From a hundred on in two digits, so that the text seldom changes.
 */
export function roughRatingsText(count: number, locale = currentLocale()): string {
  if (count < 100) return ratingsText(count, locale);
  const step = 10 ** (Math.floor(Math.log10(count)) - 1);
  return translator("figures", locale)("ratingsAtLeast", { count: Math.floor(count / step) * step });
}

/**
 * The text in place of a score of too few ratings, such as "3 ratings so far".
 * Undefined from five ratings on.
 */
export function soFarText(count: number, locale = currentLocale()): string | undefined {
  return count < ratingsForScore ? translator("figures", locale)("ratingsSoFar", { count }) : undefined;
}

/**
 * A score in words: "4.2 of 5 from 27 ratings".
 * Below five ratings, only their number.
 */
export function scoreSentence({ settled, count }: Pick<PublicScore, "settled" | "count">): string {
  if (settled === null) return scoreText(null);
  return soFarText(count) ?? translator("figures")("scoreOfRatings", { score: scoreText(settled, 1), count });
}

export const scoreFills = [
  "fill-score-0",
  "fill-score-1",
  "fill-score-2",
  "fill-score-3",
  "fill-score-4",
  "fill-score-5",
];

/** The six counters as one thin bar; decorative. */
export function ScoreBar({ counts }: { counts: Counts }) {
  const { count } = scoreFrom(counts);
  if (count === 0) return null;
  const gap = 0.6;
  const given = counts.map((some, score) => ({ some, score })).filter(({ some }) => some > 0);
  const width = 100 - gap * (given.length - 1);
  let x = 0;
  return (
    <svg
      viewBox="0 0 100 4"
      preserveAspectRatio="none"
      className="h-1 w-full rtl:-scale-x-100"
      aria-hidden="true"
    >
      {given.map(({ some, score }) => {
        const segment = { x: rounded(x), width: rounded((some / count) * width) };
        x += (some / count) * width + gap;
        return <rect key={score} {...segment} height="4" className={scoreFills[score]} />;
      })}
    </svg>
  );
}

/** To a hundredth: lists have many of these numbers. */
function rounded(length: number): number {
  return Math.round(length * 100) / 100;
}
