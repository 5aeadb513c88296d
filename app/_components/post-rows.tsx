import { Fragment } from "react";
import { formatter, translator } from "@/lib/i18n";
import { textDirection } from "@/lib/i18n/text-direction";
import { postPath, tagPath, userPath } from "@/lib/paths";
import { ratingsText } from "./score";
import { StarShapes, StarsOfList } from "./stars";
import { StaticPart } from "./static-part";
import { shortDayOptions } from "./time";

/** A score as text, its stars and its number of ratings; or the text in its place. */
export type RowScore = string | { text: string; stars: number; count: number };

/** The addresses of a cover's smallest files, and their size. */
export interface RowCover {
  webp: string;
  avif: string;
  width: number;
  height: number;
}

/** A text in which the parts that a search found are marked. */
type MarkedText = readonly { text: string; isMatch: boolean }[];

/** A post as a list shows it. */
export interface Row {
  slug: string;
  title: string;
  lang: string | null;
  /** The title where a search has found it. */
  markedTitle?: MarkedText | undefined;
  excerpt: string | MarkedText | null;
  /** Null on the author's own page. */
  author: string | null;
  at: number;
  /** The start of the day on which it is shown. */
  today: number;
  readingMinutes: number | null;
  score: RowScore;
  myScore: number | null;
  tags: readonly { slug: string; name: string }[];
  cover: RowCover | null;
  /** Whether it is featured or unpublished, as text; most posts are neither. */
  state: string | null;
  isUnpublished: boolean;
}

export function PostRows({ rows }: { rows: readonly Row[] }) {
  return (
    <>
      <StaticPart as="div" className="contents" of={StarShapes} items={[{}]} />
      <StaticPart as="ol" className="post-list" of={PostRow} items={rows} />
    </>
  );
}

/** A post; all its parts begin at the edge of its language. */
function PostRow(row: Row) {
  const { slug, title, excerpt, author, at, today, readingMinutes, score, myScore } = row;
  const t = translator("home");
  // Empty for an unknown language: it need not be the page's.
  const lang = row.lang ?? "";
  return (
    <li dir={textDirection(title, row.lang)}>
      <h2 lang={lang}>
        <a href={postPath(slug)}>{marked(row.markedTitle ?? title)}</a>
      </h2>
      {row.state && (
        <p className={row.isUnpublished ? "state-unpublished" : "state"}>
          <span>{row.state}</span>
        </p>
      )}
      {row.cover && <Cover {...row.cover} />}
      {excerpt && (
        <p lang={lang} className="excerpt">
          {marked(excerpt)}
        </p>
      )}
      <p>
        {author !== null && (
          <>
            <a href={userPath(author)}>{author}</a>
            {" · "}
          </>
        )}
        <time dateTime={new Date(at).toISOString().slice(0, 10)}>
          {formatter().dateTime(new Date(at), shortDayOptions(at, today))}
        </time>
        {readingMinutes !== null && (
          <>
            {" · "}
            <span>{t("readingTime", { minutes: readingMinutes })}</span>
          </>
        )}
        {row.tags.map((tag) => (
          <Fragment key={tag.slug}>
            {" · "}
            <a href={tagPath(tag.slug)} rel="tag">
              {tag.name}
            </a>
          </Fragment>
        ))}
      </p>
      <p className="score">
        {typeof score === "string" ? <span>{score}</span> : <Score {...score} />}
        {myScore !== null && <span>{t("youGave", { score: myScore })}</span>}
      </p>
    </li>
  );
}

function marked(text: string | MarkedText) {
  return typeof text === "string" ? text : text.map(markedPart);
}

function markedPart({ text, isMatch }: MarkedText[number], index: number) {
  return isMatch ? <mark key={index}>{text}</mark> : text;
}

function Cover({ webp, avif, width, height }: RowCover) {
  return (
    <p className="cover">
      <picture>
        <source type="image/avif" srcSet={avif} />
        <img src={webp} alt="" width={width} height={height} loading="lazy" decoding="async" />
      </picture>
    </p>
  );
}

function Score({ text, stars, count }: Exclude<RowScore, string>) {
  return (
    <>
      <b>{text}</b>
      <StarsOfList stars={stars} />
      <span>{ratingsText(count)}</span>
    </>
  );
}
