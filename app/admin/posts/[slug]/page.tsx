import { ForgetParameter } from "@/app/_components/forget-parameter";
import { Form } from "@/app/_components/form";
import { ChoiceButton, Field } from "@/app/_components/form-fields";
import { forbiddenPage, noPage, notFoundPage } from "@/app/_components/no-page";
import { PostTitle } from "@/app/_components/post-title";
import { Section } from "@/app/_components/section";
import { Day } from "@/app/_components/time";
import { currentApp } from "@/lib/app";
import { noticeOnce } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { postPath, textFromPath, userPath } from "@/lib/paths";
import { featuredMaximum, findPost, type Post } from "@/lib/posts";
import { type PostDecision, postDecisions } from "@/lib/posts/schema";
import { currentTime } from "@/lib/time/current-time";
import { AdminFrame, administratorAt } from "../../frame";
import { postAdminPath } from "../posts-query";
import { decide } from "./actions";

export async function generateMetadata({ params }: PageProps<"/admin/posts/[slug]">) {
  if (textFromPath((await params).slug) === null) return noPage();
  const t = translator("admin");
  return { title: `${t("pages.posts")} · ${t("title")}`, robots: { index: false } };
}

/** One post: unpublish, publish again, feature. */
export default async function PostAdminPage({ params, searchParams }: PageProps<"/admin/posts/[slug]">) {
  const slug = textFromPath((await params).slug);
  const user = await administratorAt(postAdminPath(slug ?? ""));
  if (!user) return forbiddenPage();
  const now = currentTime();
  const post = slug === null ? null : await findPost(await currentApp(now), slug, user);
  // An administrator's own draft is not a post yet.
  if (!post || post.publishedAt === null) return notFoundPage();
  const { publishedAt } = post;
  const t = translator("admin");
  const notice = await noticeOnce((await searchParams).done, { about: `post ${post.id}`, reader: user, now });
  const done = postDecisions.find((decision) => decision === notice);
  return (
    <AdminFrame user={user} page="posts" title={<PostTitle {...post} />}>
      <p className="mt-2 text-quiet">
        {t.rich("posts.by", {
          name: () => (
            <a href={userPath(post.author)}>
              <bdi>{post.author}</bdi>
            </a>
          ),
          time: () => <Day at={publishedAt} />,
        })}
        {" · "}
        <a href={postPath(post.slug)}>{t("posts.see")}</a>
      </p>
      <p role="status" className="mt-4 border-s-2 border-water ps-3 empty:hidden">
        {done && t(`posts.done.${done}`)}
      </p>
      <ForgetParameter name="done" />
      {post.unpublishedAt !== null && <p className="mt-4 text-amber">{t("posts.note")}</p>}
      {post.unpublishedAt === null && !post.isUnlisted && (
        <DecisionSection
          post={post}
          decision={post.featuredAt === null ? "feature" : "unfeature"}
          help={
            post.featuredAt === null
              ? t("posts.featureHelp", { maximum: featuredMaximum })
              : t.rich("posts.unfeatureHelp", { time: () => <Day at={post.featuredAt ?? 0} /> })
          }
        />
      )}
      <DecisionSection
        post={post}
        decision={post.unpublishedAt === null ? "unpublish" : "publish"}
        help={post.unpublishedAt === null ? t("posts.unpublishHelp") : t("posts.publishHelp")}
      />
    </AdminFrame>
  );
}

interface DecisionSectionProps {
  post: Post;
  decision: PostDecision;
  help: React.ReactNode;
}

function DecisionSection({ post: { slug }, decision, help }: DecisionSectionProps) {
  const t = translator("admin");
  return (
    <Section title={t(`posts.${decision}Title`)} id={decision}>
      <Form
        key={decision}
        action={decide.bind(null, slug)}
        className="flex max-w-lg flex-col items-start gap-4"
      >
        <p className="text-sm text-quiet">{help}</p>
        <div className="w-full">
          <Field
            label={t("posts.why")}
            name="why"
            rows={2}
            autoComplete="off"
            help={t(decision === "unpublish" ? "posts.whyUnpublishHelp" : "posts.whyHelp")}
          />
        </div>
        <ChoiceButton name="decision" value={decision} pending={t("posts.saving")}>
          {t(`posts.${decision}`)}
        </ChoiceButton>
      </Form>
    </Section>
  );
}
