import { translator } from "@/lib/i18n";
import { postPath, userPath } from "@/lib/paths";
import type { ListedPost } from "@/lib/posts";
import { publicScore, ratingsForScore } from "@/lib/ratings/tally/public-score";
import { scoring } from "@/lib/ratings/tally/scoring-settings";
import { noScoreText, ratingsText, ScoreBar, scoreSentence, scoreText } from "./score";
import { Day } from "./time";

export function PostList({ posts, now }: { posts: ListedPost[]; now: number }) {
  return (
    <ol className="divide-y divide-hairline border-y border-hairline">
      {posts.map((post) => (
        <PostRow key={post.id} post={post} now={now} />
      ))}
    </ol>
  );
}

function PostRow({ post, now }: { post: ListedPost; now: number }) {
  const score = publicScore(post, now, scoring);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_6rem] items-start gap-x-5 py-5 sm:grid-cols-[minmax(0,1fr)_8rem]">
      <div className="min-w-0" dir="auto">
        <h2 className="line-clamp-3 font-reading text-[1.1875rem] leading-[1.35] font-semibold sm:text-[1.3125rem]">
          <a href={postPath(post.slug)} className="text-ink hover:text-water">
            {post.title}
          </a>
        </h2>
        <p className="mt-1 text-sm text-quiet">
          <a href={userPath(post.author)} className="text-quiet">
            <bdi>{post.author}</bdi>
          </a>
          {" · "}
          <Day at={post.createdAt} />
        </p>
      </div>
      <div className="text-end">
        {score.settled === null ? (
          <p className="pt-1 text-sm text-quiet">{noScoreText(post)}</p>
        ) : score.count < ratingsForScore ? (
          <p className="pt-1 text-sm text-quiet">{scoreSentence(score)}</p>
        ) : (
          <>
            <p className="text-[1.375rem] leading-[1.25] font-semibold text-water tabular-nums">
              {scoreText(score.settled)}
            </p>
            <p className="mb-1.5 text-sm text-quiet">{ratingsText(score.count)}</p>
            <ScoreBar counts={post.counts} />
          </>
        )}
        {post.myScore !== null && (
          <p className="mt-1.5 text-sm">{translator("home")("youGave", { score: post.myScore })}</p>
        )}
      </div>
    </li>
  );
}
