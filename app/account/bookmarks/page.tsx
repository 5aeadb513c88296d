import type { Metadata } from "next";
import { removeBookmark } from "@/app/_components/bookmark-actions";
import { Form } from "@/app/_components/form";
import { ChoiceButton } from "@/app/_components/form-fields";
import { notFoundPage } from "@/app/_components/no-page";
import { PageLinks } from "@/app/_components/page-links";
import { Day } from "@/app/_components/time";
import { app } from "@/lib/app";
import { requireUser } from "@/lib/auth";
import { type BookmarkedPost, listBookmarks } from "@/lib/bookmarks";
import { translator } from "@/lib/i18n";
import { postPath, userPath } from "@/lib/paths";
import { AccountLink } from "../account-link";

const path = "/account/bookmarks";
const pageSize = 50;

export function generateMetadata(): Metadata {
  return { title: translator("reading")("saved.title"), robots: { index: false } };
}

/** The posts that the user has saved for later. */
export default async function BookmarksPage({ searchParams }: PageProps<"/account/bookmarks">) {
  const user = await requireUser(path);
  const { cursor: sent } = await searchParams;
  const cursor = typeof sent === "string" ? sent : undefined;
  const page = await listBookmarks(app(), { user, cursor, limit: pageSize });
  if (!page) return notFoundPage();
  const t = translator("reading");
  return (
    <>
      <AccountLink />
      <h1 className="page-title">{t("saved.title")}</h1>
      <p className="mt-3 mb-8 text-quiet">{t("saved.intro")}</p>
      {page.items.length === 0 && !cursor ? (
        <p className="border-y border-hairline py-8 text-quiet">
          {t.rich("saved.none", { link: (text) => <a href="/">{text}</a> })}
        </p>
      ) : (
        <ul className="divide-y divide-hairline border-y border-hairline">
          {page.items.map((post) => (
            <Bookmark key={post.id} post={post} />
          ))}
        </ul>
      )}
      <PageLinks first={cursor && path} next={page.nextCursor && `${path}?cursor=${page.nextCursor}`} />
    </>
  );
}

function Bookmark({ post: { slug, title, lang, author, savedAt } }: { post: BookmarkedPost }) {
  const t = translator("reading");
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 grow basis-64">
        <a href={postPath(slug)} lang={lang ?? ""} dir="auto" className="font-medium break-words">
          {title}
        </a>
        <p className="text-sm text-quiet">
          {t.rich("saved.byOn", {
            name: () => (
              <a key="name" href={userPath(author)} className="text-quiet">
                <bdi>{author}</bdi>
              </a>
            ),
            day: () => <Day key="day" at={savedAt} />,
          })}
        </p>
      </div>
      <Form action={removeBookmark.bind(null, slug)}>
        <ChoiceButton
          name="bookmark"
          value="remove"
          label={t("saved.removePost", { title })}
          pending={t("saved.removing")}
        >
          {t("saved.removeShort")}
        </ChoiceButton>
      </Form>
    </li>
  );
}
