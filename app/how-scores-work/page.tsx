import type { Metadata } from "next";
import { scoreText } from "@/app/_components/score";
import { app } from "@/lib/app";
import { formatNumber, formatPeriod } from "@/lib/limiter/text";
import { rankPrior } from "@/lib/posts";
import { replayMaximum } from "@/lib/ratings/score/replay";
import { mostMoved } from "@/lib/ratings/score/settled-score";
import { ratingsForScore } from "@/lib/ratings/tally/public-score";
import { scoring } from "@/lib/ratings/tally/scoring-settings";
import { Examples } from "./examples";
import { Floods } from "./floods";

export const metadata: Metadata = {
  title: "How scores work",
  description:
    "Why a post’s score cannot be rushed, how posts are ranked, and what happens when a flood of ratings arrives.",
};

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export default function HowScoresWorkPage() {
  const { firstRaters, unitDays } = scoring.settling;
  return (
    <article className="prose">
      <h1 className="page-title">How scores work</h1>
      <p>
        Anyone with an account can give a post 0 to 5 stars, once. 0 is a score like any other. You can change
        your rating or withdraw it at any time.
      </p>
      <h2 id="the-score">The score</h2>
      <p>
        A post has an average, the mean of its ratings, and a score. A post’s page shows both where they
        differ, as “Raw average” and “Settled score”; lists show the score. It follows the average like a
        heavy ship follows its rudder: slowly at first, then steadily. So it cannot be rushed.
      </p>
      <p>
        {firstRaters === 1
          ? "The first rating sets the score at once. From the second on, each "
          : `The first ${formatNumber(firstRaters)} ratings set the score at once. After them, each `}
        rating pulls the score up or down for as long as the time since the rating before. A thousand ratings
        in ten minutes pull like ten minutes, not like a thousand ratings.
      </p>
      <p>
        The longer ratings pull the same way, the faster the score moves. It moves towards the average and
        stops when it arrives. While it has some way to go, the post says that it is settling, and towards
        what.
      </p>
      <Examples />
      <p>
        Every rating that counts affects the score sooner or later. The score of a young post moves quickly;
        that of an old one takes about {formatNumber(unitDays)} days of ratings that keep disagreeing before
        it has followed most of the way.
      </p>
      <h2 id="withdrawn-ratings">When ratings are taken back</h2>
      <p>
        A rating that is withdrawn, or goes with its account, leaves no trace: on a post with up to{" "}
        {formatNumber(replayMaximum)} ratings, the score is recalculated from the ratings that remain, each at
        the time when it was last given or changed. So nothing is gained by rating with many accounts and
        leaving. On larger posts, where a single rating matters little, only the average changes at once.
      </p>
      <p>
        The same is done when an administrator or a moderator excludes a flood of ratings, or ends such a
        decision: the score is then as if the flood had never come.
      </p>
      <h2>How fast it can move</h2>
      <Bound />
      <h2>The order of “Top”</h2>
      <Rank />
      <Floods context={app()} />
      <h2>What still gets through</h2>
      <p>
        Patience. Ratings that keep arriving for weeks look the same as readers who have changed their minds,
        so the score follows them, slowly.
      </p>
      <p>
        An early start. A post’s first ratings set its score, and a flood that lasts all day moves a post that
        is a day old further than one that is a month old.
      </p>
      <p>
        And there is a price. Where readers are split, or where opinion has really turned overnight, the score
        is behind the average for a while. A post whose two differ shows both.
      </p>
    </article>
  );
}

/** The bound on a score's movement, computed for an example post. */
function Bound() {
  const [ageDays, raters, score, zeros] = [30, 13_000, 4.18, 5_000];
  const settled = {
    score,
    velocity: 0,
    raters,
    firstAt: 0,
    lastRaterAt: ageDays * dayMs,
    at: ageDays * dayMs,
  };
  const spans: [string, number][] = [
    ["In an hour", hourMs],
    ["In a day", dayMs],
    ["In a week", 7 * dayMs],
  ];
  return (
    <>
      <p>
        Say a post has {formatNumber(raters)} ratings, is {formatPeriod(ageDays * dayMs)} old, and its score
        rests at {scoreText(score)}. Then {formatNumber(zeros)} zeros arrive within minutes. Its average falls
        to {scoreText((score * raters) / (raters + zeros))} there and then. Its score moves by no more than
        this, and would by no more if they were five million:
      </p>
      <table>
        <tbody>
          {spans.map(([span, spanMs]) => (
            <tr key={span}>
              <th scope="row">{span}</th>
              <td className="tabular-nums">{starsAtMost(mostMoved(settled, spanMs, scoring.settling))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        That is a bound, not a forecast: mostly it moves far less. One thing alone is quicker: when ratings
        are taken back or excluded, what they had done to the score is undone at once.
      </p>
    </>
  );
}

/** Rounded up, because the text states an upper bound. */
function starsAtMost(stars: number): string {
  return `${scoreText(Math.min(5, Math.ceil(stars * 100) / 100))} stars`;
}

function Rank() {
  const { ratings, score } = rankPrior;
  const rank = (count: number, settled: number) =>
    scoreText((ratings * score + count * settled) / (ratings + count));
  return (
    <>
      <p>
        Two fives should not rank above four hundred ratings around 4.8. So “Top” goes by a Bayesian average:
        each post is ranked as if it had {ratings} ratings of {score} before its first one.
      </p>
      <p className="text-center">
        rank = ({ratings} × {score} + number of ratings × settled score) ÷ ({ratings} + number of ratings)
      </p>
      <p>
        A post with two fives ranks at {rank(2, 5)}; one with 400 ratings and a settled score of 4.8 ranks at{" "}
        {rank(400, 4.8)}. With fewer than {ratingsForScore} ratings, lists and the post show their number
        instead of a score.
      </p>
    </>
  );
}
