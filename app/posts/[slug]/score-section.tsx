import { Histogram } from "@/app/_components/histogram";
import { noScoreText, ratingsText, scoreText, soFarText } from "@/app/_components/score";
import { Stars } from "@/app/_components/stars";
import { formatNumber } from "@/lib/limiter/text";
import { postPath } from "@/lib/paths";
import type { Post } from "@/lib/posts";
import type { Floods } from "@/lib/ratings/decisions/flood-window-decisions";
import { scoreFrom } from "@/lib/ratings/score/score";
import { type PublicScore, ratingsForScore } from "@/lib/ratings/tally/public-score";
import { FloodMarker } from "./flood-marker";

interface ScoreSectionProps {
  post: Post;
  score: PublicScore;
  floods: Floods;
  now: number;
  /** Whether to show the score with all windows counted. */
  countsEverything: boolean;
  /** The reader's own rating form. */
  children: React.ReactNode;
}

type ScoreProps = Pick<ScoreSectionProps, "post" | "score">;

/** A post's score, its flood notice and its histogram. */
export function ScoreSection({ post, score, floods, now, countsEverything, children }: ScoreSectionProps) {
  const { uncounted, decider } = floods;
  const path = postPath(post.slug);
  const everything = countsEverything && uncounted.length > 0 ? scoreFrom(floods.everything) : null;
  const { histogram, count } = everything ?? score;
  return (
    <section
      id="score"
      aria-label="Score"
      className="mt-12 grid gap-x-12 gap-y-8 border-t border-hairline pt-8 sm:grid-cols-2"
    >
      <div className="flex flex-col gap-4">
        {everything ? (
          <div>
            <h2 className="section-title mb-3">With everything counted</h2>
            <Numeral stars={everything.average} count={everything.count} className="text-ink" />
          </div>
        ) : (
          <SettledScore post={post} score={score} />
        )}
        {uncounted.length > 0 && (
          <FloodMarker windows={uncounted} decider={decider} now={now}>
            {everything ? (
              <a href={`${path}#score`}>Back to the settled score</a>
            ) : (
              <a href={`${path}?counted=all#score`} rel="nofollow">
                Show with everything counted
              </a>
            )}
          </FloodMarker>
        )}
        <div id="your-rating" className="mt-4 scroll-mt-8">
          {children}
        </div>
      </div>
      {count > 0 && (
        <div className="flex flex-col gap-2">
          <Histogram counts={histogram} />
          {!everything && <Figures post={post} score={score} />}
        </div>
      )}
    </section>
  );
}

function SettledScore({ post, score }: ScoreProps) {
  const { average, settled, settling, count } = score;
  if (average === null || settled === null)
    return <p className="text-2xl font-semibold text-quiet">{noScoreText(post)}</p>;
  return (
    <div>
      <Numeral stars={settled} count={count} className="text-water" />
      {settling && (
        <p className="mt-4 text-[0.9375rem]">
          Settling: recent ratings pull this towards {scoreText(average)}.{" "}
          <a href="/how-scores-work#the-score">How scores work</a>
        </p>
      )}
    </div>
  );
}

/** The score's details; expanded if settled score and average differ. */
function Figures({ post, score: { average, settled, settling, count } }: ScoreProps) {
  return (
    <details className="text-sm" open={settling}>
      <summary className="text-quiet">In figures</summary>
      <dl className="mt-2 grid max-w-52 grid-cols-[1fr_auto] gap-x-6 gap-y-1 tabular-nums">
        <Figure name="Settled score" value={scoreText(settled)} />
        <Figure name="Raw average" value={scoreText(average)} />
        <Figure name="Rank score" value={scoreText(post.rankScore)} />
        <Figure name="Ratings" value={formatNumber(count)} />
      </dl>
      {!settling && (
        <p className="mt-2">
          <a href="/how-scores-work#the-score">How scores work</a>
        </p>
      )}
    </details>
  );
}

/** A score with its stars and count; of too few ratings, only how many there are. */
function Numeral({ stars, count, className }: { stars: number | null; count: number; className: string }) {
  const soFar = soFarText(count);
  if (soFar)
    return (
      <>
        <p className="text-2xl font-semibold">{soFar}</p>
        <p className="mt-2 text-[0.9375rem] text-quiet">
          A score appears once there are {formatNumber(ratingsForScore)} ratings.
        </p>
      </>
    );
  return (
    <div className={className}>
      <p className="text-[3.5rem] leading-none font-semibold tracking-tight tabular-nums">
        {scoreText(stars)}
        <span className="text-base font-normal tracking-normal text-quiet">{" of 5"}</span>
      </p>
      <div className="mt-3 flex items-center gap-3">
        <Stars average={stars ?? 0} />
        <span className="text-[0.9375rem] text-quiet">{ratingsText(count)}</span>
      </div>
    </div>
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
