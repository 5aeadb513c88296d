import type { Metadata } from "next";
import { WaitingForApproval } from "@/app/_components/waiting-for-approval";
import { requireUser } from "@/lib/auth";
import { PostForm } from "../post-form";
import { publishPost } from "./actions";

export const metadata: Metadata = { title: "Write" };

export default async function NewPostPage() {
  const user = await requireUser("/posts/new");
  return (
    <>
      <h1 className="page-title">Write a post</h1>
      {user.isPending ? (
        <div className="mt-6">
          <WaitingForApproval />
        </div>
      ) : (
        <PostForm action={publishPost} submit="Publish" submitting="Publishing…" />
      )}
    </>
  );
}
