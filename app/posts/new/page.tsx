import type { Metadata } from "next";
import { WaitingForApproval } from "@/app/_components/waiting-for-approval";
import { app } from "@/lib/app";
import { getUser, requireUser } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { isPost } from "@/lib/request/current-request";
import { mayWrite } from "@/lib/users/writers";
import { LanguageField } from "../language-field";
import { PostForm } from "../post-form";
import { postFormTexts } from "../post-form-texts";
import { publishPost } from "./actions";
import { NotAWriter } from "./not-a-writer";

export function generateMetadata(): Metadata {
  return { title: translator("writing")("newPageTitle") };
}

export default async function NewPostPage() {
  // A form that was sent without JavaScript comes back with its text, also when the session has ended.
  const user = isPost() ? await getUser() : await requireUser("/posts/new");
  const t = translator("writing");
  return (
    <>
      <h1 className="page-title">{t("newTitle")}</h1>
      {user?.isPending ? (
        <div className="mt-6">
          <WaitingForApproval />
        </div>
      ) : user && !mayWrite(user, app().whoMayWrite) ? (
        <NotAWriter user={user} />
      ) : (
        <PostForm
          action={publishPost}
          userId={user?.id ?? null}
          texts={postFormTexts()}
          submit={t("publish")}
          submitting={t("publishing")}
        >
          <LanguageField />
        </PostForm>
      )}
    </>
  );
}
