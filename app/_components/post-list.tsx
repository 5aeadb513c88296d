import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { imageAt, sizesOf, thumbnailAddress } from "@/lib/media/address";
import { type FoundPost, isListed } from "@/lib/posts";
import { tagsOf } from "@/lib/posts/tags";
import { publicScore, ratingsForScore } from "@/lib/ratings/tally/public-score";
import { scoring } from "@/lib/ratings/tally/scoring-settings";
import { dayMs } from "@/lib/time/units";
import { PostRows, type Row, type RowCover, type RowScore } from "./post-rows";
import { noScoreText, scoreSentence, scoreText } from "./score";
import { unpublishedText } from "./unpublished-text";

/** The most tags of a post that a list shows. */
const tagsMaximum = 3;

interface PostListProps {
  posts: FoundPost[];
  now: number;
  /** Whether all are of the page's user, whose name is its title. */
  isOfOneAuthor?: boolean;
  /** Whether each post's beginning is left out; a search's snippet is not. */
  titlesOnly?: boolean;
}

/** A list of posts. */
export async function PostList({ posts, now, isOfOneAuthor = false, titlesOnly = false }: PostListProps) {
  const tags = await tagsOf(app(), posts.filter(isListed));
  return (
    <PostRows
      rows={posts.map((post) => ({
        slug: post.slug,
        title: post.title,
        markedTitle: post.markedTitle,
        lang: post.lang,
        excerpt: post.snippet ?? (titlesOnly ? null : post.excerpt),
        author: isOfOneAuthor ? null : post.author,
        at: post.publishedAt ?? post.createdAt,
        today: now - (now % dayMs),
        readingMinutes: post.readingMinutes,
        score: scoreOf(post, now),
        myScore: post.myScore,
        tags: (tags.get(post.id) ?? []).slice(0, tagsMaximum),
        cover: titlesOnly ? null : coverOf(post),
        ...stateOf(post),
      }))}
    />
  );
}

/** The cover in its smallest size. */
function coverOf({ cover }: FoundPost): RowCover | null {
  const image = cover === null ? undefined : imageAt(cover);
  if (!image) return null;
  const [{ width, height } = image] = sizesOf(image);
  return { webp: thumbnailAddress(image), avif: thumbnailAddress(image, "avif"), width, height };
}

/** Featured, unlisted, or unpublished with the reason; nothing for most posts. */
function stateOf(post: FoundPost): Pick<Row, "state" | "isUnpublished"> {
  const isUnpublished = post.unpublishedAt !== null;
  if (isUnpublished) return { state: unpublishedText(post), isUnpublished };
  if (post.isUnlisted) return { state: translator("post")("unlisted.label"), isUnpublished };
  return { state: post.featuredAt === null ? null : translator("post")("featured"), isUnpublished };
}

function scoreOf(post: FoundPost, now: number): RowScore {
  const score = publicScore(post, now, scoring);
  if (score.settled === null) return noScoreText(post);
  if (score.count < ratingsForScore) return scoreSentence(score);
  return {
    text: scoreText(score.settled, 1),
    stars: Math.round(score.settled * 10) / 10,
    count: score.count,
  };
}
