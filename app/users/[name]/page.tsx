import type { Metadata } from "next";
import { cache } from "react";
import { Form } from "@/app/_components/form";
import { Field, SubmitButton } from "@/app/_components/form-fields";
import { noPage, notFoundPage } from "@/app/_components/no-page";
import { PostList } from "@/app/_components/post-list";
import { Day } from "@/app/_components/time";
import { feedLink } from "@/app/site-metadata";
import { app, currentApp } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { textFromPath, userPath } from "@/lib/paths";
import { listPosts } from "@/lib/posts";
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
  return { title: `Posts by ${username}`, alternates: { canonical: userPath(username), types: feedLink } };
}

export default async function UserPage({ params, searchParams }: PageProps<"/users/[name]">) {
  const profile = await findProfile((await params).name);
  if (!profile) return notFoundPage();
  const { cursor } = await searchParams;
  const user = await getUser();
  const now = currentTime();
  const page = await listPosts(await currentApp(now), {
    sort: "newest",
    limit: pageSize,
    authorId: profile.id,
    viewer: user,
    cursor: typeof cursor === "string" ? cursor : undefined,
  });
  if (!page) return notFoundPage();
  return (
    <>
      <h1 className="page-title">
        <bdi>{profile.username}</bdi>
      </h1>
      <p className="mt-3 mb-8 text-quiet">
        Here since <Day at={profile.createdAt} />
        {profile.isDisabled && " · this account is disabled"}
      </p>
      {page.items.length > 0 ? (
        <PostList posts={page.items} now={now} />
      ) : (
        <p className="border-y border-hairline py-8 text-quiet">No posts yet.</p>
      )}
      {page.nextCursor && (
        <nav aria-label="Pages" className="mt-6 text-end">
          <a href={`${userPath(profile.username)}?cursor=${page.nextCursor}`} rel="next">
            More posts
          </a>
        </nav>
      )}
      {user?.isAdministrator && user.id !== profile.id && <Disabling profile={profile} />}
    </>
  );
}

function Disabling({ profile }: { profile: Profile }) {
  return (
    <section aria-label="Administration" className="mt-10 border-t border-hairline pt-6">
      <p className="mb-4 text-quiet">
        {profile.isDisabled
          ? "This user cannot log in, and their ratings do not count. Enabling them restores the ratings."
          : "A disabled user is logged out at once and cannot log in. Their ratings do not count until you enable the user again. Their posts stay."}
      </p>
      <Form
        key={String(profile.isDisabled)}
        action={setUserDisabled.bind(null, profile.username, !profile.isDisabled)}
        className="flex max-w-lg flex-col gap-4"
      >
        <Field label="Reason" name="why" rows={2} help="Kept on record. Only administrators see it." />
        <div>
          <SubmitButton pending="Saving…">
            {profile.isDisabled ? "Enable this user" : "Disable this user"}
          </SubmitButton>
        </div>
      </Form>
    </section>
  );
}
