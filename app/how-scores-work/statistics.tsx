import { durationText } from "@/app/_components/duration-text";
import { scoreText } from "@/app/_components/score";
import { translator } from "@/lib/i18n";
import { rankPrior } from "@/lib/posts";
import { replayMaximum } from "@/lib/ratings/score/replay";
import { mostMoved } from "@/lib/ratings/score/settled-score";
import { ratingsForScore } from "@/lib/ratings/tally/public-score";
import { scoring } from "@/lib/ratings/tally/scoring-settings";
import { dayMs, hourMs } from "@/lib/time/units";

/** A post whose score rests, and a flood of zeros. */
const example = { ageDays: 30, raters: 13_000, score: 4.18, zeros: 5_000 };

/** The figures behind the score, for readers who want them. */
export function Statistics({ detects }: { detects: boolean }) {
  const t = translator("scores");
  const { firstRaters, unitDays } = scoring.settling;
  return (
    <details>
      <summary className="font-semibold">{t("page.figures.title")}</summary>
      <h3>{t("page.figures.law.title")}</h3>
      <p>{t("page.figures.law.text", { firstRaters, unitDays })}</p>
      <h3>{t("page.figures.bound.title")}</h3>
      <Bound />
      <h3>{t("page.figures.rank.title")}</h3>
      <Rank />
      <h3 id="withdrawn-ratings">{t("page.figures.withdrawn.title")}</h3>
      <p>{t("page.figures.withdrawn.text", { replayMaximum })}</p>
      {detects && (
        <>
          <h3>{t("page.figures.detection.title")}</h3>
          <p>{t("page.figures.detection.text")}</p>
          <p>{t("page.figures.detection.networks")}</p>
        </>
      )}
      <h3>{t("page.figures.price.title")}</h3>
      <p>{t("page.figures.price.text")}</p>
    </details>
  );
}

/** The bound on a score's movement, computed for an example post. */
function Bound() {
  const t = translator("scores");
  const { ageDays, raters, score, zeros } = example;
  const at = ageDays * dayMs;
  const settled = { score, velocity: 0, raters, firstAt: 0, lastRaterAt: at, at };
  return (
    <>
      <p>
        {t("page.figures.bound.text", {
          raters,
          days: ageDays,
          zeros,
          score: scoreText(score),
          average: scoreText((score * raters) / (raters + zeros)),
        })}
      </p>
      <table>
        <tbody>
          {[hourMs, dayMs, 7 * dayMs].map((spanMs) => (
            <tr key={spanMs}>
              <th scope="row">{t("page.figures.bound.within", { duration: durationText(spanMs) })}</th>
              <td className="tabular-nums">
                {t("page.figures.bound.stars", {
                  stars: roundedUp(mostMoved(settled, spanMs, scoring.settling)),
                })}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>{t("page.figures.bound.forecast")}</p>
    </>
  );
}

/** Rounded up, because the text states an upper bound. */
function roundedUp(stars: number): string {
  return scoreText(Math.min(5, Math.ceil(stars * 100) / 100));
}

function Rank() {
  const t = translator("scores");
  const { ratings, score } = rankPrior;
  const rank = (count: number, settled: number) =>
    scoreText((ratings * score + count * settled) / (ratings + count));
  return (
    <p>
      {t("page.figures.rank.text", {
        ratings,
        score: scoreText(score, 1),
        few: rank(2, 5),
        many: rank(400, 4.8),
        manyScore: scoreText(4.8, 1),
        ratingsForScore,
      })}
    </p>
  );
}
