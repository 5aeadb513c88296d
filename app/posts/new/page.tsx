import type { Metadata } from "next";
import { requireUser } from "@/lib/auth";
import { publishPost } from "./actions";
import { PostForm } from "./post-form";

export const metadata: Metadata = { title: "Write" };

export default async function NewPostPage() {
  await requireUser("/posts/new");
  return (
    <>
      <h1 className="page-title">Write a post</h1>
      <PostForm action={publishPost} submit="Publish" submitting="Publishing…" />
    </>
  );
}
