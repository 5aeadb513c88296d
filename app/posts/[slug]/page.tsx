import type { Metadata } from "next";
import { cache } from "react";
import { chosenStars } from "@/app/_components/chosen-stars";
import { Cover } from "@/app/_components/cover";
import { DoneNotice } from "@/app/_components/done-notice";
import { Form } from "@/app/_components/form";
import { forbiddenPage, noPage } from "@/app/_components/no-page";
import { readRatingNotice } from "@/app/_components/rating-notice";
import { preloadPostFont } from "@/app/fonts";
import { feedLinks, pageTitle, siteName } from "@/app/site-metadata";
import { app, currentApp } from "@/lib/app";
import { getUser, isFirstShown, loggedOutReader, omitScriptsForVisitors } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { textDirection } from "@/lib/i18n/text-direction";
import { activityPath, postPath, revisionsPath, textFromPath } from "@/lib/paths";
import { mayDelete, mayEdit, type ReadPost, readPost } from "@/lib/posts";
import { maySeeActivity } from "@/lib/ratings/decisions/deciders";
import { floodsOf } from "@/lib/ratings/decisions/flood-window-decisions";
import { publicScore } from "@/lib/ratings/tally/public-score";
import { scoring } from "@/lib/ratings/tally/scoring-settings";
import { isFormForbidden, isPost } from "@/lib/request/current-request";
import { trustedOrigin } from "@/lib/request/site-origin";
import { currentTime } from "@/lib/time/current-time";
import type { User } from "@/lib/users";
import { PostText } from "../post-text";
import { removePost } from "./actions";
import { Heading } from "./heading";
import { movedOrMissing } from "./moved";
import { NearbyPosts } from "./nearby-posts";
import { PostNotes } from "./post-notes";
import { PostTools } from "./post-tools";
import { RatingsOverTime } from "./ratings-over-time";
import { ScoreSection } from "./score-section";
import { coverTag, socialImageTag } from "./social-image";
import { StructuredData } from "./structured-data";
import { YourRating } from "./your-rating";

const findPost = cache(async (part: string) => {
  const slug = textFromPath(part);
  return slug === null ? null : readPost(await currentApp(currentTime()), slug, await getUser());
});

export async function generateMetadata({ params }: PageProps<"/posts/[slug]">): Promise<Metadata> {
  const post = await findPost((await params).slug);
  if (!post) return noPage();
  const description = post.excerpt;
  const hasOrigin = (await trustedOrigin()) !== undefined;
  return {
    title: pageTitle(post.title),
    ...(!isIndexed(post) && { robots: { index: false } }),
    description,
    authors: [{ name: post.author }],
    alternates: { canonical: postPath(post.slug), types: feedLinks() },
    openGraph: {
      type: "article",
      siteName: siteName(),
      title: post.title,
      ...(description !== null && { description }),
      ...(hasOrigin &&
        post.publishedAt !== null && {
          url: postPath(post.slug),
          images: coverTag(post) ?? socialImageTag(post, currentTime()),
        }),
    },
  };
}

export default async function PostPage({ params, searchParams }: PageProps<"/posts/[slug]">) {
  const post = await findPost((await params).slug);
  await omitScriptsForVisitors();
  if (!post) return movedOrMissing((await params).slug);
  const { rating, stars, counted, done } = await searchParams;
  if (isFormForbidden()) return forbiddenPage();
  const user = await getUser();
  const now = currentTime();
  const direction = textDirection(post.excerpt ?? post.content, post.lang);
  preloadPostFont(direction);
  const score = publicScore(post, now, scoring);
  const floods = await floodsOf(app(), post);
  const reader = user ?? (await loggedOutReader());
  // A rating that was sent without JavaScript after the session had ended.
  const isLoggedOut = isPost() && user === null;
  const sentNotice = readRatingNotice(rating, { slug: post.slug, reader, now });
  const isNew = sentNotice !== undefined && (await isFirstShown(String(rating)));
  const notice = isLoggedOut ? "logged-out" : isNew ? sentNotice : undefined;
  return (
    <>
      <DoneNotice value={done} path={postPath(post.slug)} reader={reader} now={now} />
      <article>
        <Heading post={post} score={score} direction={direction} />
        <PostNotes post={post} isAuthor={mayEdit(post, user)} direction={direction} />
        <Cover {...post} />
        <PostText lang={post.lang} direction={direction} content={post.content} html={post.html} />
      </article>
      {post.publishedAt !== null && (
        <>
          <PostTools post={post} user={user} direction={direction} />
          <ScoreSection
            post={post}
            direction={direction}
            score={score}
            floods={floods}
            now={now}
            countsEverything={counted === "all"}
          >
            {post.unpublishedAt === null && (
              <YourRating
                post={post}
                user={user}
                windows={floods.windows}
                notice={notice}
                chosen={chosenStars(stars)}
              />
            )}
          </ScoreSection>
          <RatingsOverTime floods={floods} now={now} direction={direction} />
          <NearbyPosts post={post} direction={direction} />
          <StructuredData post={post} score={score} />
        </>
      )}
      <AuthorLinks post={post} user={user} direction={direction} />
    </>
  );
}

/** Whether search engines may list the post's page. */
function isIndexed({ publishedAt, unpublishedAt, isUnlisted }: ReadPost): boolean {
  return publishedAt !== null && unpublishedAt === null && !isUnlisted;
}

/** The direction of a post's texts, whose edge its page has. */
interface AtEdge {
  direction: "ltr" | "rtl";
}

function AuthorLinks({ post, user, direction }: { post: ReadPost; user: User | null } & AtEdge) {
  if (!maySeeActivity(post, user)) return null;
  const t = translator("post");
  return (
    <nav
      aria-label={t("thisPost")}
      dir={direction}
      className="post-edge mt-10 flex flex-wrap items-baseline gap-6 border-t border-hairline pt-5 text-sm"
    >
      {mayEdit(post, user) && <a href={`${postPath(post.slug)}/edit`}>{t("edit")}</a>}
      {post.publishedAt !== null && <a href={activityPath(post.slug)}>{t("activity")}</a>}
      {post.publishedAt !== null && mayDelete(post, user) && (
        <a href={revisionsPath(post.slug)}>{t("revisions")}</a>
      )}
      {mayDelete(post, user) && <DeletePost post={post} />}
    </nav>
  );
}

function DeletePost({ post: { slug, publishedAt } }: { post: ReadPost }) {
  const t = translator("post");
  return (
    <details>
      <summary className="text-wrong">
        <bdi>{t("delete.open")}</bdi>
      </summary>
      <Form action={removePost.bind(null, slug)} className="mt-3 flex flex-col items-start gap-3">
        <p>{t(publishedAt === null ? "delete.draftWarning" : "delete.warning")}</p>
        <button type="submit" className="button text-wrong">
          {t(publishedAt === null ? "delete.draftButton" : "delete.button")}
        </button>
      </Form>
    </details>
  );
}
