import { translator } from "@/lib/i18n";
import { postPath, userPath } from "@/lib/paths";
import type { FoundPost, ListedPost } from "@/lib/posts";
import { publicScore, ratingsForScore } from "@/lib/ratings/tally/public-score";
import { scoring } from "@/lib/ratings/tally/scoring-settings";
import { noScoreText, ratingsText, scoreSentence, scoreText } from "./score";
import { StarShapes, StarsOfList } from "./stars";
import { ShortDay } from "./time";

/** A list of posts; its elements are styled by `.post-list`, so that a long list stays light. */
export function PostList({ posts, now }: { posts: FoundPost[]; now: number }) {
  return (
    <>
      <StarShapes />
      <ol className="post-list">
        {posts.map((post) => (
          <PostRow key={post.id} post={post} now={now} />
        ))}
      </ol>
    </>
  );
}

function PostRow({ post, now }: { post: FoundPost; now: number }) {
  const t = translator("home");
  const { slug, title, author, createdAt, excerpt, readingMinutes, myScore, snippet } = post;
  // Empty for an unknown language: it need not be the page's.
  const lang = post.lang ?? "";
  return (
    <li>
      <h2 lang={lang} dir="auto">
        <a href={postPath(slug)}>{title}</a>
      </h2>
      {(snippet || excerpt) && (
        <p lang={lang} dir="auto" className="excerpt">
          {snippet ? <Snippet parts={snippet} /> : excerpt}
        </p>
      )}
      <p>
        <a href={userPath(author)}>
          <bdi>{author}</bdi>
        </a>
        {" · "}
        <ShortDay at={createdAt} now={now} />
        {readingMinutes !== null && ` · ${t("readingTime", { minutes: readingMinutes })}`}
      </p>
      <p className="score">
        <Score post={post} now={now} />
        {myScore !== null && <span>{t("youGave", { score: myScore })}</span>}
      </p>
    </li>
  );
}

function Snippet({ parts }: { parts: NonNullable<FoundPost["snippet"]> }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text do not move
  return parts.map(({ text, isMatch }, index) => (isMatch ? <mark key={index}>{text}</mark> : text));
}

function Score({ post, now }: { post: ListedPost; now: number }) {
  const score = publicScore(post, now, scoring);
  if (score.settled === null) return noScoreText(post);
  if (score.count < ratingsForScore) return scoreSentence(score);
  return (
    <>
      <b>{scoreText(score.settled, 1)}</b>
      <StarsOfList stars={score.settled} />
      <span>{ratingsText(score.count)}</span>
    </>
  );
}
