import type { Metadata } from "next";
import { rankPrior } from "@/lib/posts";

export const metadata: Metadata = {
  title: "How scores work",
  description:
    "What a post’s score is, how posts are ranked, and what happens when a flood of ratings arrives.",
};

export default function HowScoresWorkPage() {
  const { ratings, score } = rankPrior;
  return (
    <article className="prose">
      <h1 className="page-title">How scores work</h1>
      <p>
        Everybody with an account can give a post 0 to 5 stars, once. 0 is a score like any other. You can
        change your rating or withdraw it at any time.
      </p>
      <h2>The score</h2>
      <p>
        A post’s score is the mean of all its ratings. The chart beside it shows how many people gave each
        number of stars.
      </p>
      <h2>The order of “Top”</h2>
      <p>
        Two fives should not rank above four hundred ratings around 4.8. So “Top” goes by a Bayesian average:
        each post is ranked as if it had {ratings} ratings of {score} before its first one.
      </p>
      <p className="text-center">
        rank = ({ratings} × {score} + sum of all stars) ÷ ({ratings} + number of ratings)
      </p>
      <p>
        A post with two fives ranks at {((ratings * score + 10) / (ratings + 2)).toFixed(2)}; one with 400
        ratings of 4.8 on average ranks at {((ratings * score + 1920) / (ratings + 400)).toFixed(2)}.
      </p>
      <h2>When very many ratings arrive at once</h2>
      <p>
        A limiter watches how fast each post is being rated. When it is too fast, a rating is not saved, and
        the page says so, why, and when to try again. What you chose stays chosen. Changing a rating passes
        the same limiter. Withdrawing does not.
      </p>
      <p>
        What it would do with a flood, a slow campaign or an honest crowd, and what other limiters would, can
        be tried in the <a href="/lab">lab</a>.
      </p>
    </article>
  );
}
