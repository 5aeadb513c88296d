import { app } from "@/lib/app";
import { formatter, translator } from "@/lib/i18n";
import { imageAt, sizesOf, thumbnailAddress } from "@/lib/media/address";
import { type FoundPost, isListed } from "@/lib/posts";
import { tagsOf } from "@/lib/posts/tags";
import { publicScore, ratingsForScore } from "@/lib/ratings/tally/public-score";
import { scoring } from "@/lib/ratings/tally/scoring-settings";
import { type MarkedText, PostRows, type RowCover, type RowScore } from "./post-rows";
import { noScoreText, ratingsText, scoreSentence, scoreText } from "./score";
import { shortDayOptions } from "./time";
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
  const t = translator("home");
  const tags = await tagsOf(app(), posts.filter(isListed));
  return (
    <PostRows
      rows={posts.map((post) => [
        post.slug,
        post.title,
        // Empty for an unknown language: it need not be the page's.
        post.lang ?? "",
        found(post.snippet) ?? (titlesOnly ? null : post.excerpt),
        isOfOneAuthor ? null : post.author,
        new Date(dateOf(post)).toISOString().slice(0, 10),
        formatter().dateTime(new Date(dateOf(post)), shortDayOptions(dateOf(post), now)),
        post.readingMinutes === null ? null : t("readingTime", { minutes: post.readingMinutes }),
        scoreOf(post, now),
        post.myScore === null ? null : t("youGave", { score: post.myScore }),
        (tags.get(post.id) ?? []).slice(0, tagsMaximum).map(({ slug, name }) => [slug, name]),
        titlesOnly ? null : coverOf(post),
        found(post.markedTitle),
        ...stateOf(post),
      ])}
    />
  );
}

function found(parts: FoundPost["snippet"]): MarkedText | undefined {
  return parts?.map(({ text, isMatch }) => (isMatch ? [text] : text));
}

/** The cover in its smallest size. */
function coverOf({ cover }: FoundPost): RowCover | null {
  const image = cover === null ? undefined : imageAt(cover);
  if (!image) return null;
  const [{ width, height } = image] = sizesOf(image);
  return [thumbnailAddress(image), thumbnailAddress(image, "avif"), width, height];
}

function dateOf({ publishedAt, createdAt }: FoundPost): number {
  return publishedAt ?? createdAt;
}

/** Featured, unlisted, or unpublished with the reason; nothing for most posts. */
function stateOf(post: FoundPost): [text: string, isUnpublished: boolean] | [] {
  if (post.unpublishedAt !== null) return [unpublishedText(post), true];
  if (post.isUnlisted) return [translator("post")("unlisted.label"), false];
  return post.featuredAt === null ? [] : [translator("post")("featured"), false];
}

function scoreOf(post: FoundPost, now: number): RowScore {
  const score = publicScore(post, now, scoring);
  if (score.settled === null) return noScoreText(post);
  if (score.count < ratingsForScore) return scoreSentence(score);
  return [scoreText(score.settled, 1), Math.round(score.settled * 10) / 10, ratingsText(score.count)];
}
