import type { Metadata } from "next";
import { cache } from "react";
import { Form } from "@/app/_components/form";
import { Field, SubmitButton } from "@/app/_components/form-fields";
import { noPage, notFoundPage } from "@/app/_components/no-page";
import { OwnFloods } from "@/app/_components/own-floods";
import { PageLinks } from "@/app/_components/page-links";
import { PostList } from "@/app/_components/post-list";
import { Day } from "@/app/_components/time";
import { feedLinks } from "@/app/site-metadata";
import { app, currentApp } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { textFromPath, userPath } from "@/lib/paths";
import { listPosts } from "@/lib/posts";
import { declareNoScripts } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";
import { type Profile, profileOf } from "@/lib/users";
import { setUserDisabled } from "./actions";

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
  const { cursor } = await searchParams;
  const user = await getUser();
  const mayDisable = user?.isAdministrator && user.id !== profile.id;
  if (!mayDisable) declareNoScripts();
  const now = currentTime();
  const page = await listPosts(await currentApp(now), {
    sort: "newest",
    limit: pageSize,
    authorId: profile.id,
    viewer: user,
    cursor: typeof cursor === "string" ? cursor : undefined,
  });
  if (!page) return notFoundPage();
  const t = translator("profile");
  const path = userPath(profile.username);
  return (
    <>
      <h1 className="page-title">
        <bdi>{profile.username}</bdi>
      </h1>
      <p className="mt-3 mb-8 text-quiet">
        {t.rich(profile.isDisabled ? "sinceDisabled" : "since", {
          day: () => <Day at={profile.createdAt} />,
        })}
        {" · "}
        <a href={feedLinks(path)["application/atom+xml"]}>{translator("layout")("feed")}</a>
      </p>
      {page.items.length > 0 ? (
        <PostList posts={page.items} now={now} isOfOneAuthor />
      ) : (
        <p className="border-y border-hairline py-8 text-quiet">{t("noPosts")}</p>
      )}
      <PageLinks
        first={typeof cursor === "string" ? path : undefined}
        next={page.nextCursor && `${path}?cursor=${page.nextCursor}`}
      />
      {user?.id === profile.id && <OwnFloods user={user} />}
      {mayDisable && <Disabling profile={profile} />}
    </>
  );
}

function Disabling({ profile }: { profile: Profile }) {
  const t = translator("profile");
  return (
    <section aria-label={t("administration")} className="mt-10 border-t border-hairline pt-6">
      <p className="mb-4 text-quiet">{t(profile.isDisabled ? "disabledNow" : "disableHelp")}</p>
      <Form
        key={String(profile.isDisabled)}
        action={setUserDisabled.bind(null, profile.username, !profile.isDisabled)}
        className="flex max-w-lg flex-col gap-4"
      >
        <Field label={t("reason")} name="why" rows={2} help={t("reasonHelp")} />
        <div>
          <SubmitButton pending={t("saving")}>{t(profile.isDisabled ? "enable" : "disable")}</SubmitButton>
        </div>
      </Form>
    </section>
  );
}
