import type { Metadata } from "next";
import type { ComponentProps } from "react";
import { forbiddenPage, notFoundPage } from "@/app/_components/no-page";
import { Minute } from "@/app/_components/time";
import { app } from "@/lib/app";
import { getUser, requireUser } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { postPath, textFromPath } from "@/lib/paths";
import { mayEdit, readPost } from "@/lib/posts";
import { versionOf } from "@/lib/posts/version";
import { isPost } from "@/lib/request/current-request";
import { Byline } from "../../byline";
import { PostForm } from "../../post-form";
import { postFormTexts } from "../../post-form-texts";
import { savedFields } from "../../post-input";
import { PublishingOptions } from "../../publishing-options";
import { RequestedPreview } from "../../requested-preview";
import { savePost } from "../actions";
import { movedOrMissing } from "../moved";

export function generateMetadata(): Metadata {
  return { title: translator("writing")("editPageTitle") };
}

export default async function EditPostPage({ params }: PageProps<"/posts/[slug]/edit">) {
  const slug = textFromPath((await params).slug);
  if (slug === null) return notFoundPage();
  // A form that was sent without JavaScript comes back with its text in any case, and with the action's message.
  if (isPost()) {
    const user = await getUser();
    const post = (await readPost(app(), slug, user)) ?? undefined;
    const own = mayEdit({ authorId: post?.authorId ?? 0 }, user) ? post : undefined;
    const nothing = { fields: savedFields(), updatedAt: 0 };
    return (
      <Edit
        slug={slug}
        // The form's state has the post and the version that were sent.
        based={{ post: "", version: "" }}
        userId={null}
        options={own}
        saved={nothing}
        isPublished={own?.publishedAt !== null}
      />
    );
  }
  const user = await requireUser(`${postPath(slug)}/edit`);
  const post = await readPost(app(), slug, user);
  if (!post) return movedOrMissing(slug, "/edit");
  if (!mayEdit(post, user)) return forbiddenPage();
  const saved = { fields: savedFields(post), updatedAt: post.updatedAt };
  const isPublished = post.publishedAt !== null;
  const based = { post: String(post.id), version: versionOf(post) };
  return (
    <Edit slug={slug} based={based} userId={user.id} options={post} saved={saved} isPublished={isPublished} />
  );
}

type EditProps = { slug: string; options?: ComponentProps<typeof PublishingOptions>["post"] } & Pick<
  ComponentProps<typeof PostForm>,
  "userId" | "saved" | "isPublished" | "based"
>;

function Edit({ slug, options, ...form }: EditProps) {
  const t = translator("writing");
  const publishAt = options?.publishAt ?? null;
  return (
    <>
      <h1 className="page-title">{t("editTitle")}</h1>
      <RequestedPreview />
      <PostForm
        action={savePost.bind(null, slug)}
        byline={options && <Byline {...options} />}
        texts={postFormTexts()}
        scheduleHelp={
          publishAt !== null && t.rich("scheduleHelp", { time: () => <Minute key="time" at={publishAt} /> })
        }
        {...form}
      >
        <PublishingOptions userId={options?.authorId ?? null} post={options} />
      </PostForm>
    </>
  );
}
