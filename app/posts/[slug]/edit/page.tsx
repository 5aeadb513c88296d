import type { Metadata } from "next";
import { forbiddenPage, notFoundPage } from "@/app/_components/no-page";
import { app } from "@/lib/app";
import { requireUser } from "@/lib/auth";
import { postPath, textFromPath } from "@/lib/paths";
import { mayEdit, readPost } from "@/lib/posts";
import { PostForm } from "../../post-form";
import { savePost } from "../actions";

export const metadata: Metadata = { title: "Edit" };

export default async function EditPostPage({ params }: PageProps<"/posts/[slug]/edit">) {
  const slug = textFromPath((await params).slug);
  if (slug === null) return notFoundPage();
  const user = await requireUser(`${postPath(slug)}/edit`);
  const post = await readPost(app(), slug, user);
  if (!post) return notFoundPage();
  if (!mayEdit(post, user)) return forbiddenPage();
  return (
    <>
      <h1 className="page-title">Edit the post</h1>
      <PostForm action={savePost.bind(null, slug)} post={post} submit="Save" submitting="Saving…" />
    </>
  );
}
