import type { Metadata } from "next";
import { forbidden, notFound } from "next/navigation";
import { requireUser } from "@/lib/auth";
import { database } from "@/lib/database";
import { postPath, textFromPath } from "@/lib/paths";
import { mayEdit, readPost } from "@/lib/posts";
import { PostForm } from "../../new/post-form";
import { savePost } from "../actions";

export const metadata: Metadata = { title: "Edit" };

export default async function EditPostPage({ params }: PageProps<"/posts/[slug]/edit">) {
  const slug = textFromPath((await params).slug) ?? notFound();
  const user = await requireUser(`${postPath(slug)}/edit`);
  const post = readPost({ database: database() }, slug, user) ?? notFound();
  if (!mayEdit(post, user)) forbidden();
  return (
    <>
      <h1 className="page-title">Edit the post</h1>
      <PostForm action={savePost.bind(null, slug)} post={post} submit="Save" submitting="Saving…" />
    </>
  );
}
