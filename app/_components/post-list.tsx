import { formatter, translator } from "@/lib/i18n";
import type { FoundPost } from "@/lib/posts";
import { publicScore, ratingsForScore } from "@/lib/ratings/tally/public-score";
import { scoring } from "@/lib/ratings/tally/scoring-settings";
import { PostRows, type RowScore } from "./post-rows";
import { noScoreText, ratingsText, scoreSentence, scoreText } from "./score";
import { shortDayOptions } from "./time";
import { unpublishedText } from "./unpublished-text";

interface PostListProps {
  posts: FoundPost[];
  now: number;
  /** Whether all are of the page's user, whose name is its title. */
  isOfOneAuthor?: boolean;
  /** Whether each post's beginning is left out; what a search found of it is not. */
  titlesOnly?: boolean;
}

/** A list of posts. */
export function PostList({ posts, now, isOfOneAuthor = false, titlesOnly = false }: PostListProps) {
  const t = translator("home");
  return (
    <PostRows
      rows={posts.map((post) => [
        post.slug,
        post.title,
        // Empty for an unknown language: it need not be the page's.
        post.lang ?? "",
        post.snippet?.map(({ text, isMatch }) => (isMatch ? [text] : text)) ??
          (titlesOnly ? null : post.excerpt),
        isOfOneAuthor ? null : post.author,
        new Date(post.createdAt).toISOString().slice(0, 10),
        formatter().dateTime(new Date(post.createdAt), shortDayOptions(post.createdAt, now)),
        post.readingMinutes === null ? null : t("readingTime", { minutes: post.readingMinutes }),
        scoreOf(post, now),
        post.myScore === null ? null : t("youGave", { score: post.myScore }),
        ...stateOf(post),
      ])}
    />
  );
}

/** Featured, or unpublished with the reason; nothing for most posts. */
function stateOf(post: FoundPost): [text: string, isUnpublished: boolean] | [] {
  if (post.unpublishedAt !== null) return [unpublishedText(post), true];
  return post.featuredAt === null ? [] : [translator("post")("featured"), false];
}

function scoreOf(post: FoundPost, now: number): RowScore {
  const score = publicScore(post, now, scoring);
  if (score.settled === null) return noScoreText(post);
  if (score.count < ratingsForScore) return scoreSentence(score);
  return [scoreText(score.settled, 1), Math.round(score.settled * 10) / 10, ratingsText(score.count)];
}
