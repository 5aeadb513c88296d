import type { Metadata } from "next";
import { removeBookmark } from "@/app/_components/bookmark-actions";
import { Form } from "@/app/_components/form";
import { ChoiceButton } from "@/app/_components/form-fields";
import { forbiddenPage, notFoundPage } from "@/app/_components/no-page";
import { PageLinks } from "@/app/_components/page-links";
import { PostTitle } from "@/app/_components/post-title";
import { Day } from "@/app/_components/time";
import { app } from "@/lib/app";
import { pageUser } from "@/lib/auth";
import { type BookmarkedPost, listBookmarks } from "@/lib/bookmarks";
import { translator } from "@/lib/i18n";
import { sentCursor } from "@/lib/paging/sent-cursor";
import { postPath, userPath } from "@/lib/paths";
import { declareNoScripts } from "@/lib/request/current-request";
import { AccountLink } from "../account-link";

const path = "/account/bookmarks";
const pageSize = 20;

export function generateMetadata(): Metadata {
  return { title: translator("reading")("saved.title"), robots: { index: false } };
}

/** The posts that the user has saved for later. */
export default async function BookmarksPage({ searchParams }: PageProps<"/account/bookmarks">) {
  const user = await pageUser(path);
  if (!user) return forbiddenPage();
  declareNoScripts();
  const cursor = sentCursor((await searchParams).cursor);
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
        // One form: each would repeat its action and its messages.
        <Form action={removeBookmark}>
          <ul className="rows centered">
            {page.items.map((post) => (
              <Bookmark key={post.id} post={post} />
            ))}
          </ul>
        </Form>
      )}
      <PageLinks first={cursor && path} next={page.nextCursor && `${path}?cursor=${page.nextCursor}`} />
    </>
  );
}

function Bookmark({ post: { slug, title, lang, author, savedAt } }: { post: BookmarkedPost }) {
  const t = translator("reading");
  return (
    <li>
      <div>
        <a href={postPath(slug)}>
          <PostTitle title={title} lang={lang} />
        </a>
        <p>
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
      <ChoiceButton
        name="post"
        value={slug}
        label={t("saved.removePost", { title })}
        pending={t("saved.removing")}
      >
        {t("saved.removeShort")}
      </ChoiceButton>
    </li>
  );
}
