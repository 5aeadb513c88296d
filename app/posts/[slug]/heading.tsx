import { scoreText, soFarText } from "@/app/_components/score";
import { StaticPart } from "@/app/_components/static-part";
import { Day } from "@/app/_components/time";
import { translator } from "@/lib/i18n";
import { tagPath } from "@/lib/paths";
import { isListed, type ReadPost } from "@/lib/posts";
import type { PublicScore } from "@/lib/ratings/tally/public-score";
import { Byline } from "../byline";
import { PostHeadingParts, postHeadingClassName } from "../post-heading";

interface HeadingProps {
  post: ReadPost;
  score: PublicScore;
  /** The post's. */
  direction: "ltr" | "rtl";
}

/** A post's title, with its author, dates, score and tags. */
export function Heading({ post, score: { settled, count }, direction }: HeadingProps) {
  const { title, lang, author, publishedAt, updatedAt } = post;
  const tags = isListed(post) ? post.tags : undefined;
  const score = settled === null ? null : (soFarText(count) ?? outOfFive(settled));
  return (
    <StaticPart
      as="header"
      dir={direction}
      className={postHeadingClassName}
      of={Parts}
      items={[{ title, lang, author, publishedAt, updatedAt, tags, score }]}
    />
  );
}

type PartsProps = Pick<ReadPost, "title" | "lang" | "author" | "publishedAt" | "updatedAt"> & {
  tags: ReadPost["tags"] | undefined;
  /** As text; null without ratings. */
  score: string | null;
};

function Parts({ title, lang, author, publishedAt, updatedAt, tags, score }: PartsProps) {
  const t = translator("post");
  return (
    <PostHeadingParts
      title={title}
      lang={lang}
      byline={
        <>
          <Byline author={author} publishedAt={publishedAt} />
          {publishedAt !== null && updatedAt > publishedAt && (
            <>
              {" · "}
              {t.rich("changed", { day: () => <Day key="day" at={updatedAt} /> })}
            </>
          )}
          {score !== null && (
            <>
              {" · "}
              <a href="#score" className="whitespace-nowrap">
                <bdi>{score}</bdi>
              </a>
            </>
          )}
        </>
      }
      {...(tags && {
        tags: {
          label: translator("reading")("tag.list"),
          tags: tags.map(({ slug, name }) => ({ name, path: tagPath(slug) })),
        },
      })}
    />
  );
}

function outOfFive(settled: number): string {
  return translator("post")("outOfFive", { score: scoreText(settled) });
}
