import type { Metadata } from "next";
import { SearchForm } from "@/app/_components/search-form";
import { app, currentApp } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { listPosts, type Sort, sorts } from "@/lib/posts";
import { currentTime } from "@/lib/time/current-time";
import { hasAccounts } from "@/lib/users";
import { DoneNotice } from "./_components/done-notice";
import { FirstSteps, NothingFound } from "./_components/empty-states";
import { noPage, notFoundPage } from "./_components/no-page";
import { PostList } from "./_components/post-list";

const pageSize = 20;
const sortNames: Record<Sort, string> = { newest: "Newest", top: "Top", "most-rated": "Most rated" };

export async function generateMetadata({ searchParams }: PageProps<"/">): Promise<Metadata> {
  const { search, sort } = queryFrom(await searchParams);
  if (!sort) return noPage();
  if (search) return { title: `Search: ${search}`, robots: { index: false } };
  return sort === "newest" ? {} : { title: sortNames[sort] };
}

export default async function HomePage({ searchParams }: PageProps<"/">) {
  const { sort, search, cursor } = queryFrom(await searchParams);
  if (!sort) return notFoundPage();
  const user = await getUser();
  const now = currentTime();
  const page = await listPosts(await currentApp(now), {
    sort,
    search,
    cursor,
    limit: pageSize,
    viewerId: user?.id,
    featuredFirst: sort === "newest" && !search,
  });
  if (!page) return notFoundPage();
  const isEmptyBlog = page.items.length === 0 && !search && !cursor;
  return (
    <>
      <DoneNotice value={(await searchParams).done} path="/" reader={user} now={now} />
      <h1 className="sr-only">Posts</h1>
      {isEmptyBlog ? (
        <FirstSteps isLoggedIn={user !== null} hasAccounts={await hasAccounts(app())} />
      ) : (
        <>
          <div className="mb-6 flex flex-wrap items-center justify-between gap-x-8 gap-y-4">
            <SortTabs sort={sort} search={search} />
            <SearchForm
              action="/"
              name="q"
              label="Search posts"
              placeholder="Search"
              value={search}
              className="w-full sm:w-64"
            >
              {sort !== "newest" && <input type="hidden" name="sort" value={sort} />}
            </SearchForm>
          </div>
          {page.items.length > 0 ? (
            <PostList posts={page.items} now={now} />
          ) : (
            <NothingFound search={search} />
          )}
          <nav aria-label="Pages" className="mt-6 flex justify-between">
            {cursor ? <a href={listPath({ sort, search })}>First page</a> : <span />}
            {page.nextCursor && (
              <a href={listPath({ sort, search, cursor: page.nextCursor })} rel="next">
                More posts
              </a>
            )}
          </nav>
        </>
      )}
    </>
  );
}

function SortTabs({ sort, search }: { sort: Sort; search: string }) {
  return (
    <nav aria-label="Order" className="flex gap-5 text-[0.9375rem]">
      {sorts.map((each) => (
        <a
          key={each}
          href={listPath({ sort: each, search })}
          aria-current={each === sort ? "page" : undefined}
          className="py-1 text-quiet aria-[current]:font-semibold aria-[current]:text-ink"
        >
          {sortNames[each]}
        </a>
      ))}
    </nav>
  );
}

/** The parsed query string; `sort` is undefined for an unknown one. */
function queryFrom(parameters: Awaited<PageProps<"/">["searchParams"]>) {
  const one = (name: string) => {
    const value = parameters[name];
    return Array.isArray(value) ? value[0] : value;
  };
  const requested = one("sort") ?? "newest";
  const sort = sorts.find((each) => each === requested);
  return { sort, search: (one("q") ?? "").toWellFormed().trim().slice(0, 200), cursor: one("cursor") };
}

function listPath({ sort, search, cursor }: { sort: Sort; search: string; cursor?: string }): string {
  const query = new URLSearchParams();
  if (sort !== "newest") query.set("sort", sort);
  if (search) query.set("q", search);
  if (cursor) query.set("cursor", cursor);
  return query.size > 0 ? `/?${query}` : "/";
}
