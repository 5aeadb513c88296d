import { Fragment } from "react";
import { postPath, tagPath, userPath } from "@/lib/paths";
import { StarShapes, StarsOfList } from "./stars";

/** A score as text, its stars and its number of ratings; or the text in its place. */
export type RowScore = string | [score: string, stars: number, ratings: string];

/** The addresses of a cover's smallest files, and their size. */
export type RowCover = [webp: string, avif: string, width: number, height: number];

/** A post as a list shows it; its texts are in the reader's language already. */
type Row = [
  slug: string,
  title: string,
  lang: string,
  /** In a snippet, parts that the search found are arrays. */
  excerpt: string | (string | string[])[] | null,
  /** Null on the author's own page. */
  author: string | null,
  date: string,
  day: string,
  readingTime: string | null,
  score: RowScore,
  mine: string | null,
  tags: [slug: string, name: string][],
  cover: RowCover | null,
  /** Whether it is featured or unpublished, as text. */
  state?: string,
  isUnpublished?: boolean,
];

export function PostRows({ rows }: { rows: Row[] }) {
  return (
    <>
      <StarShapes />
      <ol className="post-list">
        {rows.map((row) => (
          <PostRow key={row[0]} row={row} />
        ))}
      </ol>
    </>
  );
}

/** All of a post begins at the edge where its title does. */
function PostRow({ row }: { row: Row }) {
  const [
    slug,
    title,
    lang,
    excerpt,
    author,
    date,
    day,
    readingTime,
    score,
    mine,
    tags,
    cover,
    state,
    isUnpublished,
  ] = row;
  return (
    <li dir="auto">
      <h2 lang={lang}>
        <a href={postPath(slug)}>{title}</a>
      </h2>
      {state && (
        <p className={isUnpublished ? "state-unpublished" : "state"}>
          <span>{state}</span>
        </p>
      )}
      {cover && (
        <p className="cover">
          <picture>
            <source type="image/avif" srcSet={cover[1]} />
            <img src={cover[0]} alt="" width={cover[2]} height={cover[3]} loading="lazy" decoding="async" />
          </picture>
        </p>
      )}
      {excerpt && (
        <p lang={lang} className="excerpt">
          {typeof excerpt === "string" ? excerpt : excerpt.map(marked)}
        </p>
      )}
      <p>
        {author !== null && (
          <>
            <a href={userPath(author)}>{author}</a>
            {" · "}
          </>
        )}
        <time dateTime={date}>{day}</time>
        {readingTime && (
          <>
            {" · "}
            <span>{readingTime}</span>
          </>
        )}
        {tags.map(([tag, name]) => (
          <Fragment key={tag}>
            {" · "}
            <a href={tagPath(tag)} rel="tag">
              {name}
            </a>
          </Fragment>
        ))}
      </p>
      <p className="score">
        {typeof score === "string" ? <span>{score}</span> : <Score score={score} />}
        {mine && <span>{mine}</span>}
      </p>
    </li>
  );
}

function marked(part: string | string[], index: number) {
  return typeof part === "string" ? part : <mark key={index}>{part}</mark>;
}

function Score({ score: [score, stars, ratings] }: { score: Exclude<RowScore, string> }) {
  return (
    <>
      <b>{score}</b>
      <StarsOfList stars={stars} />
      <span>{ratings}</span>
    </>
  );
}
