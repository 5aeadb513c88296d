import type { Metadata } from "next";
import { PageLinks } from "@/app/_components/page-links";
import { PostList } from "@/app/_components/post-list";
import { PostTitle } from "@/app/_components/post-title";
import { Section } from "@/app/_components/section";
import { Day, Minute } from "@/app/_components/time";
import { currentApp } from "@/lib/app";
import { requireUser } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { ownPostsPath, postPath } from "@/lib/paths";
import { draftsOf, listPosts, type Post } from "@/lib/posts";
import { declareNoScripts } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";
import { AccountLink } from "../account-link";

const pageSize = 20;

export function generateMetadata(): Metadata {
  return { title: translator("writing")("own.title"), robots: { index: false } };
}

/** The drafts and posts of the user. */
export default async function OwnPostsPage({ searchParams }: PageProps<"/account/posts">) {
  const user = await requireUser(ownPostsPath);
  declareNoScripts();
  const { cursor, drafts: draftCursor } = await searchParams;
  const now = currentTime();
  const context = await currentApp(now);
  const request = { sort: "newest", limit: pageSize, authorId: user.id, viewer: user } as const;
  const later = typeof cursor === "string" ? await listPosts(context, { ...request, cursor }) : null;
  // A cursor that leads nowhere leads to the first page.
  const page = later ?? (await listPosts(context, request));
  const laterDrafts =
    !later && typeof draftCursor === "string"
      ? await draftsOf(context, { user, cursor: draftCursor, limit: pageSize })
      : null;
  const drafts = later ? null : (laterDrafts ?? (await draftsOf(context, { user, limit: pageSize })));
  const moreDrafts = drafts?.nextCursor && `${ownPostsPath}?drafts=${drafts.nextCursor}`;
  const t = translator("writing");
  return (
    <>
      <AccountLink />
      <h1 className="page-title">{t("own.title")}</h1>
      {drafts && (
        <Section title={t("own.drafts")}>
          {drafts.items.length > 0 ? (
            <ul className="divide-y divide-hairline border-y border-hairline">
              {drafts.items.map((draft) => (
                <Draft key={draft.id} draft={draft} />
              ))}
            </ul>
          ) : (
            <p className="text-quiet">{t("own.noDrafts")}</p>
          )}
          {laterDrafts ? (
            <PageLinks first={ownPostsPath} next={moreDrafts ?? null} nextText={t("own.moreDrafts")} />
          ) : (
            moreDrafts && (
              <p className="mt-6">
                <a href={moreDrafts}>{t("own.moreDrafts")}</a>
              </p>
            )
          )}
        </Section>
      )}
      {!laterDrafts && (
        <Section title={t("own.published")}>
          {page && page.items.length > 0 ? (
            <PostList posts={page.items} now={now} isOfOneAuthor />
          ) : (
            <p className="text-quiet">
              {t.rich("own.noPosts", { link: (text) => <a href="/posts/new">{text}</a> })}
            </p>
          )}
          <PageLinks
            first={later ? ownPostsPath : undefined}
            next={page?.nextCursor ? `${ownPostsPath}?cursor=${page.nextCursor}` : null}
          />
        </Section>
      )}
    </>
  );
}

function Draft({ draft: { slug, title, lang, updatedAt, publishAt, missedAt } }: { draft: Post }) {
  const t = translator("writing");
  return (
    <li className="flex items-baseline justify-between gap-x-4 py-3">
      <div className="min-w-0">
        <a href={postPath(slug)} className="font-medium break-words">
          <PostTitle title={title} lang={lang} />
        </a>
        <p className={missedAt === null ? "text-sm text-quiet" : "text-sm text-amber"}>
          {publishAt !== null
            ? t.rich("own.scheduled", { time: () => <Minute at={publishAt} /> })
            : missedAt !== null
              ? t.rich("own.missed", { time: () => <Minute at={missedAt} /> })
              : t.rich("own.changed", { day: () => <Day at={updatedAt} /> })}
        </p>
      </div>
      <a
        href={`${postPath(slug)}/edit`}
        aria-label={t("own.editPost", { title })}
        className="shrink-0 text-sm"
      >
        {t("own.edit")}
      </a>
    </li>
  );
}
