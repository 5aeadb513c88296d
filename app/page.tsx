import type { Metadata } from "next";
import { PageLinks } from "@/app/_components/page-links";
import { RefusedNotice } from "@/app/_components/refused-notice";
import { SearchForm } from "@/app/_components/search-form";
import { parameterFrom, searchFrom } from "@/app/_components/search-text";
import { app, currentApp } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { addressRefusal } from "@/lib/limits/address-limit";
import type { Refused } from "@/lib/limits/types";
import { listPosts, type Sort } from "@/lib/posts";
import { clientAddress, declareNoScripts } from "@/lib/request/current-request";
import { siteSettings } from "@/lib/site";
import { isNewSite } from "@/lib/site/welcome";
import { currentTime } from "@/lib/time/current-time";
import { hasAccounts } from "@/lib/users";
import { DoneNotice } from "./_components/done-notice";
import { FirstSteps, NothingFound } from "./_components/empty-states";
import { noPage, notFoundPage } from "./_components/no-page";
import { PostList } from "./_components/post-list";
import { listPath, SortTabs, sortFrom } from "./_components/sort-tabs";
import { StaticPart } from "./_components/static-part";
import { pageTitle, siteDescription } from "./site-metadata";

const pageSize = 20;

export async function generateMetadata({ searchParams }: PageProps<"/">): Promise<Metadata> {
  const { search, sort } = queryFrom(await searchParams);
  if (!sort) return noPage();
  const t = translator("home");
  if (search) return { title: pageTitle(t("searched", { search })), robots: { index: false } };
  return sort === "newest" ? {} : { title: t(`sort.${sort}`) };
}

export default async function HomePage({ searchParams }: PageProps<"/">) {
  const { sort, search, cursor } = queryFrom(await searchParams);
  declareNoScripts();
  if (!sort) return notFoundPage();
  const user = await getUser();
  const now = currentTime();
  const client = { address: clientAddress(), username: user?.username, now };
  const refused = search ? await addressRefusal(app(), "search", client) : undefined;
  if (refused) return <RefusedSearch refused={refused} search={search} sort={sort} />;
  const page = await listPosts(await currentApp(now), {
    sort,
    search,
    cursor,
    limit: pageSize,
    viewerId: user?.id,
    featuredFirst: sort === "newest" && !search,
    withSnippets: true,
  });
  if (!page) return notFoundPage();
  const t = translator("home");
  const isFirstPage = !search && !cursor;
  const isEmptyBlog = page.items.length === 0 && isFirstPage;
  return (
    <>
      <DoneNotice value={(await searchParams).done} path="/" reader={user} now={now} />
      {isFirstPage ? (
        <StaticPart as="div" className="mb-8" of={Greeting} items={[{ description: siteDescription() }]} />
      ) : (
        <h1 className="sr-only">{t("posts")}</h1>
      )}
      {isEmptyBlog ? (
        <FirstSteps
          user={user}
          hasAccounts={await hasAccounts(app())}
          isToSetUp={user?.isAdministrator === true && (await isNewSite(app()))}
        />
      ) : (
        <>
          <StaticPart
            as="div"
            className="mb-6 flex flex-wrap items-center justify-between gap-x-8 gap-y-4"
            of={SortAndSearch}
            items={[{ search, sort }]}
          />
          {page.items.length > 0 ? (
            <PostList posts={page.items} now={now} titlesOnly={siteSettings().HOME_LAYOUT === "titles"} />
          ) : (
            <NothingFound search={search} />
          )}
          <PageLinks
            first={cursor && listPath("/", { sort, search })}
            next={page.nextCursor && listPath("/", { sort, search, cursor: page.nextCursor })}
          />
        </>
      )}
    </>
  );
}

function SortAndSearch({ search, sort }: { search: string; sort: Sort }) {
  return (
    <>
      <SortTabs sort={sort} path="/" search={search} />
      <PostSearch search={search} sort={sort} />
    </>
  );
}

function PostSearch({ search, sort }: { search: string; sort: Sort }) {
  const t = translator("home");
  return (
    <SearchForm
      action="/"
      name="q"
      label={t("searchPosts")}
      placeholder={t("search")}
      value={search}
      className="w-full sm:w-72"
    >
      {sort !== "newest" && <input type="hidden" name="sort" value={sort} />}
    </SearchForm>
  );
}

/** A search of a client that searches too often: its words stay in the field. */
function RefusedSearch({ refused, ...query }: { refused: Refused; search: string; sort: Sort }) {
  const t = translator("home");
  return (
    <>
      <h1 className="page-title">{t("searchPosts")}</h1>
      <RefusedNotice refused={refused} unavailable={t("searchUnavailable")} className="my-6" />
      <PostSearch {...query} />
    </>
  );
}

/** A sentence on the site, and why its scores can be trusted. */
function Greeting({ description }: { description: string }) {
  return (
    <>
      <h1 className="font-reading text-[1.75rem] leading-tight font-semibold">
        <bdi>{description}</bdi>
      </h1>
      <p className="mt-2 text-quiet">
        {translator("home").rich("promise", {
          link: (chunks) => (
            <a href="/how-scores-work" className="whitespace-nowrap">
              {chunks}
            </a>
          ),
        })}
      </p>
    </>
  );
}

/** The parsed query string; `sort` is undefined for an unknown one. */
function queryFrom(parameters: Awaited<PageProps<"/">["searchParams"]>) {
  return {
    sort: sortFrom(parameters),
    search: searchFrom(parameters, "q") ?? "",
    cursor: parameterFrom(parameters, "cursor"),
  };
}
