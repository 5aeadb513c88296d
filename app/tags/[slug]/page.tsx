import type { Metadata } from "next";
import { cache } from "react";
import { noPage, notFoundPage } from "@/app/_components/no-page";
import { PageLinks } from "@/app/_components/page-links";
import { PostList } from "@/app/_components/post-list";
import { listPath, SortTabs, sortFrom } from "@/app/_components/sort-tabs";
import { feedLinks, pageTitle } from "@/app/site-metadata";
import { app, currentApp } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { textDirection } from "@/lib/i18n/text-direction";
import { sentCursor } from "@/lib/paging/sent-cursor";
import { tagPath, textFromPath } from "@/lib/paths";
import { listPosts } from "@/lib/posts";
import { findTag } from "@/lib/posts/tags";
import { declareNoScripts } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";

const pageSize = 20;

const find = cache(async (part: string) => {
  const slug = textFromPath(part);
  return slug === null ? null : findTag(app(), slug);
});

export async function generateMetadata({
  params,
  searchParams,
}: PageProps<"/tags/[slug]">): Promise<Metadata> {
  const tag = await find((await params).slug);
  if (!tag || !sortFrom(await searchParams)) return noPage();
  const path = tagPath(tag.slug);
  return {
    title: pageTitle(translator("reading")("tag.title", { name: tag.name })),
    alternates: { canonical: path, types: feedLinks(path) },
  };
}

/** The posts with a tag. */
export default async function TagPage({ params, searchParams }: PageProps<"/tags/[slug]">) {
  const tag = await find((await params).slug);
  const sent = await searchParams;
  const sort = sortFrom(sent);
  declareNoScripts();
  if (!tag || !sort) return notFoundPage();
  const cursor = sentCursor(sent.cursor);
  const now = currentTime();
  const viewerId = (await getUser())?.id;
  const request = { sort, cursor, viewerId, tag: tag.slug, limit: pageSize };
  const page = await listPosts(await currentApp(now), request);
  if (!page) return notFoundPage();
  const t = translator("reading");
  const path = tagPath(tag.slug);
  return (
    <>
      <h1 className="page-title">
        <bdi dir={textDirection(tag.name, null)}>{tag.name}</bdi>
      </h1>
      <p className="mt-3 mb-6 text-quiet">
        {t("tag.posts")}
        {" · "}
        <a href={feedLinks(path)["application/atom+xml"]}>{translator("layout")("feed")}</a>
      </p>
      <div className="mb-6">
        <SortTabs sort={sort} path={path} />
      </div>
      <PostList posts={page.items} now={now} />
      <PageLinks
        first={cursor && listPath(path, { sort })}
        next={page.nextCursor && listPath(path, { sort, cursor: page.nextCursor })}
      />
    </>
  );
}
