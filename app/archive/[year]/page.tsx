import type { Metadata } from "next";
import { cache } from "react";
import { noPage, notFoundPage } from "@/app/_components/no-page";
import { PageLinks } from "@/app/_components/page-links";
import { PostTitle } from "@/app/_components/post-title";
import { feedLinks } from "@/app/site-metadata";
import { app } from "@/lib/app";
import { formatter, translator } from "@/lib/i18n";
import { sentCursor } from "@/lib/paging/sent-cursor";
import { archivePath, postPath, userPath } from "@/lib/paths";
import type { ListedPost } from "@/lib/posts";
import { postsOfYear } from "@/lib/posts/archive";
import { declareNoScripts } from "@/lib/request/current-request";
import { yearText } from "../year-text";

const pageSize = 50;

const findPage = cache(async (part: string, cursor: unknown) => {
  if (!/^[1-9]\d{3}$/.test(part)) return null;
  const year = Number(part);
  const from = sentCursor(cursor);
  const page = await postsOfYear({ database: app().database }, { year, cursor: from, limit: pageSize });
  return page && page.items.length > 0 ? { ...page, year, isFirst: from === undefined } : null;
});

export async function generateMetadata({
  params,
  searchParams,
}: PageProps<"/archive/[year]">): Promise<Metadata> {
  const page = await findPage((await params).year, (await searchParams).cursor);
  if (!page) return noPage();
  const title = translator("reading")("archive.ofYear", { year: yearText(page.year) });
  return { title, alternates: { canonical: archivePath(page.year), types: feedLinks() } };
}

/** A year's posts by month. */
export default async function YearPage({ params, searchParams }: PageProps<"/archive/[year]">) {
  const page = await findPage((await params).year, (await searchParams).cursor);
  declareNoScripts();
  if (!page) return notFoundPage();
  const t = translator("reading");
  const path = archivePath(page.year);
  return (
    <>
      <h1 className="page-title">{t("archive.ofYear", { year: yearText(page.year) })}</h1>
      {[...Map.groupBy(page.items, monthOf)].map(([month, posts]) => (
        <section key={month} className="mt-8">
          <h2 className="section-title mb-2">{month}</h2>
          <ul className="rows">
            {posts.map((post) => (
              <ArchivedPost key={post.id} post={post} />
            ))}
          </ul>
        </section>
      ))}
      <PageLinks
        first={page.isFirst ? undefined : path}
        next={page.nextCursor && `${path}?cursor=${page.nextCursor}`}
      />
      <p className="mt-8">
        <a href={archivePath()}>{t("archive.all")}</a>
      </p>
    </>
  );
}

function ArchivedPost({ post: { slug, title, lang, author, ...post } }: { post: ListedPost }) {
  const date = new Date(post.publishedAt ?? post.createdAt);
  return (
    <li>
      <a href={postPath(slug)}>
        <PostTitle title={title} lang={lang} />
      </a>
      <small>
        <a href={userPath(author)}>
          <bdi>{author}</bdi>
        </a>
        {" · "}
        <time dateTime={date.toISOString()}>
          {formatter().dateTime(date, { day: "numeric", month: "short" })}
        </time>
      </small>
    </li>
  );
}

/**
 * The month of the reader's calendar.
 * Its months may lie across those of the year.
 */
function monthOf({ publishedAt, createdAt }: ListedPost): string {
  const date = new Date(publishedAt ?? createdAt);
  const month = formatter().dateTime(date, { month: "long" });
  const year = formatter().dateTime(date, { year: "numeric" });
  return translator("reading")("archive.month", { month, year });
}
