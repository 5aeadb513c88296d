import type { Metadata } from "next";
import type { ComponentProps } from "react";
import { forbiddenPage, notFoundPage } from "@/app/_components/no-page";
import { app } from "@/lib/app";
import { requireUser } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { postPath, textFromPath } from "@/lib/paths";
import { mayEdit, readPost } from "@/lib/posts";
import { isPost } from "@/lib/request/current-request";
import { LanguageField } from "../../language-field";
import { PostForm } from "../../post-form";
import { postFormTexts } from "../../post-form-texts";
import { savePost } from "../actions";

export function generateMetadata(): Metadata {
  return { title: translator("writing")("editPageTitle") };
}

export default async function EditPostPage({ params }: PageProps<"/posts/[slug]/edit">) {
  const slug = textFromPath((await params).slug);
  if (slug === null) return notFoundPage();
  // A form that was sent without JavaScript comes back with its text in any case, and with the action's message.
  if (isPost()) return <Edit slug={slug} userId={null} />;
  const user = await requireUser(`${postPath(slug)}/edit`);
  const post = await readPost(app(), slug, user);
  if (!post) return notFoundPage();
  if (!mayEdit(post, user)) return forbiddenPage();
  const { title, content, chosenLang, updatedAt } = post;
  const saved = { slug, title, content, lang: chosenLang ?? "", updatedAt };
  return <Edit slug={slug} userId={user.id} language={post} post={saved} />;
}

type EditProps = { slug: string; language?: ComponentProps<typeof LanguageField>["post"] } & Pick<
  ComponentProps<typeof PostForm>,
  "userId" | "post"
>;

function Edit({ slug, language, ...form }: EditProps) {
  const t = translator("writing");
  return (
    <>
      <h1 className="page-title">{t("editTitle")}</h1>
      <PostForm
        action={savePost.bind(null, slug)}
        texts={postFormTexts()}
        submit={t("save")}
        submitting={t("saving")}
        {...form}
      >
        <LanguageField post={language} />
      </PostForm>
    </>
  );
}
