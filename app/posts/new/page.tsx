import type { Metadata } from "next";
import { WaitingForApproval } from "@/app/_components/waiting-for-approval";
import { getUser, requireUser } from "@/lib/auth";
import { isPost } from "@/lib/request/current-request";
import { LanguageField } from "../language-field";
import { PostForm } from "../post-form";
import { publishPost } from "./actions";

export const metadata: Metadata = { title: "Write" };

export default async function NewPostPage() {
  // A form that was sent without JavaScript comes back with its text, also when the session has ended.
  const user = isPost() ? await getUser() : await requireUser("/posts/new");
  return (
    <>
      <h1 className="page-title">Write a post</h1>
      {user?.isPending ? (
        <div className="mt-6">
          <WaitingForApproval />
        </div>
      ) : (
        <PostForm action={publishPost} userId={user?.id ?? null} submit="Publish" submitting="Publishing…">
          <LanguageField />
        </PostForm>
      )}
    </>
  );
}
