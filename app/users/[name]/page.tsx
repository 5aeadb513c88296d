import type { Metadata } from "next";
import { cache } from "react";
import { noPage, notFoundPage } from "@/app/_components/no-page";
import { OwnFloods } from "@/app/_components/own-floods";
import { PageLinks } from "@/app/_components/page-links";
import { PostList } from "@/app/_components/post-list";
import { Day } from "@/app/_components/time";
import { feedLinks } from "@/app/site-metadata";
import { app, currentApp } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { textDirection } from "@/lib/i18n/text-direction";
import { sentCursor } from "@/lib/paging/sent-cursor";
import { personPath, textFromPath, userPath } from "@/lib/paths";
import { listPosts } from "@/lib/posts";
import { declareNoScripts } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";
import { profileOf } from "@/lib/users";

const pageSize = 20;

const findProfile = cache(async (part: string) => {
  const name = textFromPath(part);
  return name === null ? null : profileOf(app(), name);
});

export async function generateMetadata({ params }: PageProps<"/users/[name]">): Promise<Metadata> {
  const profile = await findProfile((await params).name);
  if (!profile) return noPage();
  const { username } = profile;
  const title = translator("profile")("postsBy", { name: username });
  const path = userPath(username);
  return { title, alternates: { canonical: path, types: feedLinks(path) } };
}

export default async function UserPage({ params, searchParams }: PageProps<"/users/[name]">) {
  const profile = await findProfile((await params).name);
  if (!profile) return notFoundPage();
  const cursor = sentCursor((await searchParams).cursor);
  const user = await getUser();
  declareNoScripts();
  const now = currentTime();
  const page = await listPosts(await currentApp(now), {
    sort: "newest",
    limit: pageSize,
    authorId: profile.id,
    viewer: user,
    cursor,
  });
  if (!page) return notFoundPage();
  const t = translator("profile");
  const path = userPath(profile.username);
  return (
    <>
      <h1 className="page-title">
        <bdi dir={textDirection(profile.username, null)}>{profile.username}</bdi>
      </h1>
      <p className="mt-3 mb-8 text-quiet">
        {t.rich(profile.isDisabled ? "sinceDisabled" : "since", {
          day: () => <Day at={profile.createdAt} />,
        })}
        {" · "}
        <a href={feedLinks(path)["application/atom+xml"]}>{translator("layout")("feed")}</a>
        {user?.isAdministrator && (
          <>
            {" · "}
            <a href={personPath(profile.username)}>{t("manage")}</a>
          </>
        )}
      </p>
      {page.items.length > 0 ? (
        <PostList posts={page.items} now={now} isOfOneAuthor />
      ) : (
        <p className="border-y border-hairline py-8 text-quiet">
          {user?.id === profile.id
            ? translator("writing").rich("own.noPosts", { link: (text) => <a href="/posts/new">{text}</a> })
            : t("noPosts")}
        </p>
      )}
      <PageLinks
        first={cursor === undefined ? undefined : path}
        next={page.nextCursor && `${path}?cursor=${page.nextCursor}`}
      />
      {user?.id === profile.id && <OwnFloods user={user} />}
    </>
  );
}
