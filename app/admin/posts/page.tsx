import { forbiddenPage } from "@/app/_components/no-page";
import { PageLinks } from "@/app/_components/page-links";
import { PostTitle } from "@/app/_components/post-title";
import { SearchForm } from "@/app/_components/search-form";
import { Day } from "@/app/_components/time";
import { currentApp } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { userPath } from "@/lib/paths";
import type { ListedPost } from "@/lib/posts";
import { postKinds, postsForAdministrators } from "@/lib/posts/administration";
import { declareNoScripts } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";
import { AdminFrame, administratorAt, adminMetadata } from "../frame";
import { type PostsQuery, postAdminPath, postsPath, postsQueryFrom } from "./posts-query";

export function generateMetadata() {
  return adminMetadata("posts");
}

/** All posts, with search; each leads to the page for decisions on it. */
export default async function PostsPage({ searchParams }: PageProps<"/admin/posts">) {
  const user = await administratorAt("/admin/posts");
  if (!user) return forbiddenPage();
  declareNoScripts();
  const t = translator("admin");
  const query = postsQueryFrom(await searchParams);
  const found = await postsForAdministrators(await currentApp(currentTime()), user, query);
  if (found.kind === "forbidden") return forbiddenPage();
  const { search, kind = "all", cursor } = query;
  return (
    <AdminFrame user={user} page="posts">
      <SearchForm
        action="/admin/posts"
        name="q"
        label={t("posts.search")}
        placeholder={t("posts.placeholder")}
        value={search}
        className="mt-6 block max-w-md"
      >
        {kind !== "all" && <input type="hidden" name="kind" value={kind} />}
      </SearchForm>
      <nav aria-label={t("posts.kinds")} className="tabs my-4">
        {postKinds.map((each) => (
          <a
            key={each}
            href={postsPath({ search, kind: each })}
            aria-current={each === kind ? "true" : undefined}
          >
            {t(`posts.kind.${each}`)}
          </a>
        ))}
      </nav>
      {found.posts.length === 0 ? <None search={search} kind={kind} /> : <Rows posts={found.posts} />}
      <PageLinks
        label={t("posts.pages")}
        first={cursor === undefined ? undefined : postsPath({ search, kind })}
        next={found.next === null ? null : postsPath({ search, kind, cursor: found.next })}
        nextText={t("posts.older")}
      />
    </AdminFrame>
  );
}

function None({ search, kind }: Pick<PostsQuery, "search" | "kind">) {
  const t = translator("admin");
  return (
    <p className="text-quiet">
      {search !== undefined
        ? t.rich("posts.noneFound", { text: () => <bdi>{search}</bdi> })
        : kind === "all"
          ? t.rich("posts.nonePublished", { link: (text) => <a href="/posts/new">{text}</a> })
          : t("posts.none")}
    </p>
  );
}

function Rows({ posts }: { posts: readonly ListedPost[] }) {
  const t = translator("admin");
  const ofPost = translator("post");
  return (
    <ul className="divide-y divide-hairline border-y border-hairline">
      {posts.map(({ id, slug, title, lang, author, publishedAt, unpublishedAt, featuredAt, isUnlisted }) => (
        <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 py-3">
          <div className="min-w-0">
            <a href={postAdminPath(slug)} className="font-medium break-words">
              <PostTitle title={title} lang={lang} />
            </a>
            <p className="text-sm text-quiet">
              {t.rich("posts.by", {
                name: () => (
                  <a href={userPath(author)} className="text-quiet">
                    <bdi>{author}</bdi>
                  </a>
                ),
                time: () => publishedAt !== null && <Day at={publishedAt} />,
              })}
            </p>
          </div>
          <p className="flex gap-3 text-sm">
            {unpublishedAt !== null && <span className="text-amber">{ofPost("unpublished.label")}</span>}
            {isUnlisted && <span>{ofPost("unlisted.label")}</span>}
            {featuredAt !== null && <span>{ofPost("featured")}</span>}
          </p>
        </li>
      ))}
    </ul>
  );
}
