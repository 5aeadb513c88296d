import { randomUUID } from "node:crypto";
import type { Metadata } from "next";
import { DoneNotice } from "@/app/_components/done-notice";
import { WaitingForApproval } from "@/app/_components/waiting-for-approval";
import { app } from "@/lib/app";
import { getUser, requireUser } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { ownPostsPath } from "@/lib/paths";
import { isPost } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";
import { mayWrite } from "@/lib/users/writers";
import { Byline } from "../byline";
import { PostForm } from "../post-form";
import { postFormTexts } from "../post-form-texts";
import { savedFields } from "../post-input";
import { PublishingOptions } from "../publishing-options";
import { RequestedPreview } from "../requested-preview";
import { saveNewPost } from "./actions";
import { NotAWriter } from "./not-a-writer";

export function generateMetadata(): Metadata {
  return { title: translator("writing")("newPageTitle") };
}

export default async function NewPostPage({ searchParams }: PageProps<"/posts/new">) {
  // A form that was sent without JavaScript comes back with its text, also when the session has ended.
  const user = isPost() ? await getUser() : await requireUser("/posts/new");
  const t = translator("writing");
  const { done } = await searchParams;
  return (
    <>
      {user && <DoneNotice value={done} path="/posts/new" reader={user} now={currentTime()} />}
      <h1 className="page-title">{t("newTitle")}</h1>
      <RequestedPreview />
      {user?.isPending ? (
        <div className="mt-6">
          <WaitingForApproval />
        </div>
      ) : user && !mayWrite(user, app().whoMayWrite) ? (
        <NotAWriter user={user} />
      ) : (
        <>
          <p className="mt-2 text-[0.9375rem]">
            <a href={ownPostsPath}>{t("own.link")}</a>
          </p>
          <PostForm
            action={saveNewPost}
            userId={user?.id ?? null}
            saved={{ fields: savedFields(), updatedAt: 0 }}
            idempotencyKey={randomUUID()}
            byline={<Byline author={user?.username ?? ""} publishedAt={null} />}
            texts={postFormTexts()}
          >
            <PublishingOptions userId={user?.id ?? null} />
          </PostForm>
        </>
      )}
    </>
  );
}
