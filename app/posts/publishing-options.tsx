import { FormDisclosure } from "@/app/_components/form-disclosure";
import { Choices, Field } from "@/app/_components/form-fields";
import { Minute } from "@/app/_components/time";
import { translator } from "@/lib/i18n";
import type { readPost } from "@/lib/posts";
import { excerptMaximum, tagsMaximum } from "@/lib/posts/lengths";
import { currentTime } from "@/lib/time/current-time";
import { CoverField } from "./cover-field";
import { LanguageField } from "./language-field";
import { savedFields } from "./post-input";

interface PublishingOptionsProps {
  /** The writer; null when a form sent without JavaScript is shown again. */
  userId: number | null;
  /** The post that is changed; a new one has none. */
  post?: NonNullable<Awaited<ReturnType<typeof readPost>>> | undefined;
}

/** An author's choices besides the text; most posts need none of them. */
export function PublishingOptions({ userId, post }: PublishingOptionsProps) {
  const t = translator("writing");
  const isPublished = post !== undefined && post.publishedAt !== null;
  const saved = savedFields(post);
  const dateHelp = isPublished
    ? "publishedDateHelp"
    : post?.publishAt != null
      ? "scheduledDateHelp"
      : "dateHelp";
  return (
    <FormDisclosure summary={t("options.title")} isOpen={false}>
      <div className="mt-4 flex flex-col gap-6">
        <Field
          label={t("options.tags")}
          name="tags"
          optional
          autoComplete="off"
          defaultValue={saved.tags}
          help={t("options.tagsHelp", { maximum: tagsMaximum })}
        />
        <Field
          label={t("options.excerpt")}
          name="excerpt"
          rows={3}
          optional
          defaultValue={saved.excerpt}
          help={t("options.excerptHelp", { maximum: excerptMaximum })}
        />
        {userId !== null && (
          <CoverField userId={userId} cover={post?.cover ?? null} coverAlt={post?.coverAlt ?? null} />
        )}
        <Choices
          legend={t("options.visibility")}
          name="visibility"
          type="radio"
          choices={[
            { value: "listed", label: t("options.listed") },
            { value: "unlisted", label: t("options.unlisted") },
          ]}
          chosen={saved.visibility}
        />
        <Field
          label={t("options.date")}
          name="publishAt"
          type="datetime-local"
          optional
          defaultValue={saved.publishAt}
          help={t.rich(`options.${dateHelp}`, {
            now: () => <Minute at={currentTime()} />,
          })}
        />
        <Field
          label={t("options.slug")}
          name="slug"
          optional
          autoComplete="off"
          defaultValue={saved.slug}
          help={t(isPublished ? "options.publishedSlugHelp" : "options.slugHelp")}
        />
        <LanguageField post={post} />
      </div>
    </FormDisclosure>
  );
}
