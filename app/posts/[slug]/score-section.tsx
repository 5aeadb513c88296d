import { Histogram } from "@/app/_components/histogram";
import { noScoreText, ratingsText, scoreText, soFarText } from "@/app/_components/score";
import { Stars } from "@/app/_components/stars";
import { StaticPart } from "@/app/_components/static-part";
import { formatter, translator } from "@/lib/i18n";
import { postPath } from "@/lib/paths";
import type { Post } from "@/lib/posts";
import type { Floods } from "@/lib/ratings/decisions/flood-window-decisions";
import { scoreFrom } from "@/lib/ratings/score/score";
import { type PublicScore, ratingsForScore } from "@/lib/ratings/tally/public-score";
import { FloodMarker } from "./flood-marker";

interface ScoreSectionProps {
  post: Post;
  /** The post's. */
  direction: "ltr" | "rtl";
  score: PublicScore;
  floods: Floods;
  now: number;
  /** Whether to show the score with all windows counted. */
  countsEverything: boolean;
  /** The reader's own rating form. */
  children: React.ReactNode;
}

type ScoreProps = Pick<ScoreSectionProps, "post" | "score">;

/**
 * A post's score, the reader's rating, the flood notice and the histogram.
 * Notices that come and go with a rating follow the stars, so that these stay in their place.
 */
export function ScoreSection(props: ScoreSectionProps) {
  const { post, direction, score, floods, now, countsEverything, children } = props;
  const t = translator("post");
  const { uncounted, decider } = floods;
  const path = postPath(post.slug);
  const everything = countsEverything && uncounted.length > 0 ? scoreFrom(floods.everything) : null;
  const { histogram, count } = everything ?? score;
  return (
    <section
      id="score"
      aria-label={t("score.title")}
      // At the post's edge, whatever the interface's is.
      dir={direction}
      className="mt-12 flex flex-col gap-x-12 gap-y-8 border-t border-hairline pt-8 sm:grid sm:grid-cols-2 sm:grid-rows-[auto_1fr] post-edge"
    >
      <div>
        {everything ? (
          <>
            <h2 className="section-title mb-3">{t("score.everything")}</h2>
            <Numeral stars={everything.average} count={everything.count} className="text-ink" />
          </>
        ) : (
          <SettledScore post={post} score={score} />
        )}
      </div>
      <div id="your-rating" className="scroll-mt-8 sm:col-start-2 sm:row-span-2 sm:row-start-1">
        {children}
      </div>
      <div className="flex flex-col gap-6 empty:hidden">
        {!everything && score.settling && score.average !== null && (
          <p className="text-[0.9375rem]">
            {t("score.settling", { average: scoreText(score.average) })}{" "}
            <a href="/how-scores-work#the-score">{t("score.howScoresWork")}</a>
          </p>
        )}
        {uncounted.length > 0 && (
          <FloodMarker windows={uncounted} decider={decider} now={now}>
            {everything ? (
              <a href={`${path}#score`}>{t("score.back")}</a>
            ) : (
              <a href={`${path}?counted=all#score`} rel="nofollow">
                {t("score.showEverything")}
              </a>
            )}
          </FloodMarker>
        )}
        {count > 0 && (
          <div className="flex flex-col gap-2">
            <Histogram counts={histogram} direction={direction} />
            {!everything && <Figures post={post} score={score} />}
          </div>
        )}
      </div>
    </section>
  );
}

function SettledScore({ post, score: { settled, count } }: ScoreProps) {
  return settled === null ? (
    <TooFew text={noScoreText(post)} />
  ) : (
    <Numeral stars={settled} count={count} className="text-water" />
  );
}

/** The score's details; expanded if settled score and average differ. */
function Figures({ post, score: { average, settled, settling, count } }: ScoreProps) {
  const t = translator("post");
  return (
    <details className="text-sm" open={settling}>
      <summary className="text-quiet">{t("score.figures.title")}</summary>
      <StaticPart
        as="dl"
        className="mt-2 grid max-w-72 grid-cols-[1fr_auto] gap-x-6 gap-y-1 tabular-nums"
        of={Figure}
        items={[
          { name: t("score.figures.settled"), value: scoreText(settled) },
          { name: t("score.figures.average"), value: scoreText(average) },
          { name: t("score.figures.rank"), value: scoreText(post.rankScore) },
          { name: t("score.figures.ratings"), value: formatter().number(count) },
        ]}
      />
      {!settling && (
        <p className="mt-2">
          <a href="/how-scores-work#the-score">{t("score.howScoresWork")}</a>
        </p>
      )}
    </details>
  );
}

interface NumeralProps {
  stars: number | null;
  count: number;
  className: string;
}

/** A score with its stars and count; of too few ratings, only how many there are. */
function Numeral({ stars, count, className }: NumeralProps) {
  const soFar = soFarText(count);
  if (soFar) return <TooFew text={soFar} />;
  const shown = { text: scoreText(stars), stars: Math.round((stars ?? 0) * 100) / 100, count };
  return <StaticPart as="div" className={className} of={NumeralWithStars} items={[shown]} />;
}

function NumeralWithStars({ text, stars, count }: { text: string; stars: number; count: number }) {
  return (
    <>
      <p className="text-[3.5rem] leading-none font-semibold tabular-nums">
        {translator("post").rich("score.numeral", {
          score: text,
          small: (chunks) => (
            <span key="small" className="text-base font-normal text-quiet">
              {chunks}
            </span>
          ),
        })}
      </p>
      <div className="mt-3 flex items-center gap-3">
        <Stars average={stars} />
        <bdi className="text-[0.9375rem] text-quiet">{ratingsText(count)}</bdi>
      </div>
    </>
  );
}

/**
 * A text in place of a score.
 * As high with no rating as with some, so that the first one moves nothing.
 */
function TooFew({ text }: { text: string }) {
  return (
    <>
      <p className="text-2xl font-semibold">{text}</p>
      <p className="mt-2 text-[0.9375rem] text-quiet">
        {translator("post")("score.fewRatings", { count: ratingsForScore })}
      </p>
    </>
  );
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-quiet">{name}</dt>
      <dd className="text-end">{value}</dd>
    </>
  );
}
