import type { Metadata } from "next";
import { cache } from "react";
import { Histogram } from "@/app/_components/histogram";
import { Markdown } from "@/app/_components/markdown";
import { noPage, notFoundPage } from "@/app/_components/no-page";
import { ratingsText, scoreText } from "@/app/_components/score";
import { Stars } from "@/app/_components/stars";
import { Day } from "@/app/_components/time";
import { feedLink } from "@/app/feed-link";
import { currentApp } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { postPath, textFromPath, userPath } from "@/lib/paths";
import { mayDelete, mayEdit, readPost } from "@/lib/posts";
import { type PublicScore, publicScore } from "@/lib/ratings/public-score";
import { scoring } from "@/lib/scoring";
import type { User } from "@/lib/users";
import { createRatingOf, removePost, updateRatingOf, withdrawRatingOf } from "./actions";
import { RatingForm } from "./rating-form";

const findPost = cache(async (part: string) => {
  const slug = textFromPath(part);
  return slug === null ? null : readPost(currentApp(Date.now()), slug, await getUser());
});

export async function generateMetadata({ params }: PageProps<"/posts/[slug]">): Promise<Metadata> {
  const post = await findPost((await params).slug);
  if (!post) return noPage;
  const beginning = post.content
    .slice(0, 400)
    .replace(/[#*_>`|[\]]/g, "")
    .replace(/\s+/g, " ")
    .trim();
  // By characters, so that none is cut in half.
  const description = [...beginning].slice(0, 160).join("");
  return {
    title: post.title,
    description,
    authors: [{ name: post.author }],
    alternates: { canonical: postPath(post.slug), types: feedLink },
    openGraph: { type: "article", title: post.title, description, url: postPath(post.slug) },
  };
}

export default async function PostPage({ params, searchParams }: PageProps<"/posts/[slug]">) {
  const post = await findPost((await params).slug);
  if (!post) return notFoundPage();
  const { rating } = await searchParams;
  const user = await getUser();
  const score = publicScore(post, Date.now(), scoring);
  return (
    <>
      <article>
        <header dir="auto" className="mb-8 sm:mb-10">
          <h1 className="page-title">{post.title}</h1>
          <p className="mt-3 text-[0.9375rem] text-quiet">
            <a href={userPath(post.author)}>
              <bdi>{post.author}</bdi>
            </a>
            {" · "}
            <Day at={post.createdAt} />
            {post.updatedAt > post.createdAt && (
              <>
                {" · changed "}
                <Day at={post.updatedAt} />
              </>
            )}
            {score.settled !== null && (
              <>
                {" · "}
                <a href="#score">
                  <bdi>{scoreText(score.settled)} of 5</bdi>
                </a>
              </>
            )}
          </p>
        </header>
        <Markdown>{post.content}</Markdown>
      </article>
      <Rated post={post} score={score} user={user} happened={rating} />
      <AuthorLinks post={post} user={user} />
    </>
  );
}

type ReadPost = NonNullable<Awaited<ReturnType<typeof findPost>>>;

interface RatedProps {
  post: ReadPost;
  score: PublicScore;
  user: User | null;
  /** What the address says has just happened to the reader's rating. */
  happened: unknown;
}

function Rated({ post, score, user, happened }: RatedProps) {
  return (
    <section
      id="score"
      aria-label="Score"
      className="mt-12 grid gap-x-12 gap-y-8 border-t border-hairline pt-8 sm:grid-cols-2"
    >
      <div>
        {score.settled === null ? (
          <p className="text-2xl font-semibold text-quiet">Not rated yet</p>
        ) : (
          <>
            <p className="text-[3.5rem] leading-none font-semibold tracking-tight tabular-nums text-water">
              {scoreText(score.settled)}
              <span className="text-base font-normal tracking-normal text-quiet">{" of 5"}</span>
            </p>
            <div className="mt-3 flex items-center gap-3">
              <Stars average={score.settled} />
              <span className="text-[0.9375rem] text-quiet">{ratingsText(score.count)}</span>
            </div>
          </>
        )}
        <div id="your-rating" className="mt-8 scroll-mt-8">
          <YourRating post={post} user={user} happened={happened} />
        </div>
      </div>
      {score.count > 0 && <Histogram counts={post.counts} />}
    </section>
  );
}

const happenings = new Map<unknown, string>([
  ["saved", "Your rating is saved."],
  ["withdrawn", "Your rating is withdrawn."],
  ["already", "You have rated this post already, perhaps in another window. Nothing was changed."],
  ["gone", "Your rating was gone, perhaps withdrawn in another window. Nothing was saved."],
]);

function YourRating({ post, user, happened }: Omit<RatedProps, "score">) {
  if (!user)
    return (
      <p>
        <a href={`/login?next=${encodeURIComponent(postPath(post.slug))}`}>Log in</a> to rate this post.
      </p>
    );
  const action = post.myScore === null ? createRatingOf : updateRatingOf;
  return (
    <>
      <h2 className="section-title mb-1">{post.myScore === null ? "Rate this post" : "Your rating"}</h2>
      <RatingForm
        key={post.myRating?.updatedAt ?? "none"}
        action={action.bind(null, post.slug)}
        myScore={post.myScore}
        notice={happenings.get(happened)}
      />
      {post.myScore !== null && (
        <form action={withdrawRatingOf.bind(null, post.slug)} className="mt-3">
          <button type="submit" className="link-button text-sm">
            Withdraw rating
          </button>
        </form>
      )}
    </>
  );
}

function AuthorLinks({ post, user }: { post: ReadPost; user: User | null }) {
  if (!mayDelete(post, user)) return null;
  return (
    <nav
      aria-label="This post"
      className="mt-10 flex flex-wrap items-baseline gap-6 border-t border-hairline pt-5 text-sm"
    >
      {mayEdit(post, user) && (
        <>
          <a href={`${postPath(post.slug)}/edit`}>Edit</a>
          <a href={`${postPath(post.slug)}/activity`}>Activity</a>
        </>
      )}
      <details>
        <summary className="text-wrong">Delete…</summary>
        <form action={removePost.bind(null, post.slug)} className="mt-3 flex flex-col items-start gap-3">
          <p>The post goes with all its ratings. This cannot be undone.</p>
          <button type="submit" className="button text-wrong">
            Delete this post
          </button>
        </form>
      </details>
    </nav>
  );
}
