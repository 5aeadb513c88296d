import type { Metadata } from "next";
import { requireUser } from "@/lib/auth";
import { PostForm } from "../post-form";
import { publishPost } from "./actions";

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
