"use client";

import { useRef } from "react";
import { Form, type FormAction } from "@/app/_components/form";
import { ChoiceButton, Field, SubmitButton } from "@/app/_components/form-fields";
import { ShownValue } from "@/app/_components/shown-value";
import { fill, useTexts } from "@/app/_components/texts";
import { keyPrefixOf } from "@/app/_components/unsaved-texts";
import { conventions } from "@/lib/i18n/locale";
import { contentMaximum, titleMaximum } from "@/lib/posts/lengths";
import { withLineFeeds } from "@/lib/text/line-feeds";
import type { FieldErrors } from "@/lib/validation";
import { ContentField } from "./_editor/content-field";
import { PreviewButton } from "./_editor/preview-button";
import type { PostFormTexts } from "./post-form-texts";
import { type SavedText, UnsavedText } from "./unsaved-text";

interface PostFormProps {
  action: FormAction;
  /** The writer; null when a form sent without JavaScript is shown again. */
  userId: number | null;
  /** The post as it is saved; the fields of a new one are empty. */
  saved: SavedText;
  /**
   * The post that is changed, and its version that the form shows.
   * None for a new post.
   */
  based?: { post: string; version: string };
  /** Of a new post, so that a form that is sent again creates no second one. */
  idempotencyKey?: string;
  /** The post's author and date, for the preview. */
  byline: React.ReactNode;
  texts: PostFormTexts;
  /** Whether the post is published, so that it can only be saved. */
  isPublished?: boolean;
  /** The effect of its buttons on a scheduled draft; none for other posts. */
  scheduleHelp?: React.ReactNode;
  /** Fields after the text. */
  children?: React.ReactNode;
}

/** The form for a new or existing post. */
export function PostForm({
  action,
  userId,
  saved,
  based,
  idempotencyKey,
  byline,
  texts,
  isPublished = false,
  scheduleHelp,
  children,
}: PostFormProps) {
  const removeSaved = useRef(() => {});
  const confirmSending = useRef(() => true);
  const { locale } = useTexts();
  return (
    <Form
      action={action}
      check={(form) => tooLong(form, texts.tooLong, conventions[locale])}
      mayBeSent={() => confirmSending.current()}
      onDone={() => removeSaved.current()}
      keptNotice={texts.kept}
      className="mt-8 flex flex-col gap-6"
    >
      {based && (
        <>
          <ShownValue name="post" value={based.post} />
          <ShownValue name="version" value={based.version} />
        </>
      )}
      {userId === null ? (
        idempotencyKey !== undefined && <ShownValue name="idempotencyKey" value={idempotencyKey} />
      ) : (
        <UnsavedText
          idempotencyKey={idempotencyKey}
          keyPrefix={keyPrefixOf(userId, based?.post)}
          saved={saved}
          removeSaved={removeSaved}
          texts={texts.unsaved}
        />
      )}
      <Field label={texts.title} name="title" defaultValue={saved.fields.title ?? ""} />
      <ContentField
        label={texts.content}
        help={texts.contentHelp}
        defaultValue={saved.fields.content ?? ""}
        byline={byline}
        texts={texts.editor}
        kept={texts.kept}
        confirmSending={confirmSending}
      />
      {children}
      {scheduleHelp && <p className="text-[0.9375rem] text-quiet">{scheduleHelp}</p>}
      {/* The first button is pressed by the Enter key in the title. */}
      <div className="flex flex-wrap gap-4">
        {isPublished ? (
          <SubmitButton pending={texts.saving}>{texts.save}</SubmitButton>
        ) : scheduleHelp ? (
          <>
            <ChoiceButton name="draft" value="keep" pending={texts.saving} isPrimary>
              {texts.saveScheduled}
            </ChoiceButton>
            <ChoiceButton name="draft" value="now" pending={texts.publishing}>
              {texts.publishNow}
            </ChoiceButton>
            <ChoiceButton name="draft" value="true" pending={texts.saving}>
              {texts.saveDraft}
            </ChoiceButton>
          </>
        ) : (
          <>
            <ChoiceButton name="draft" value="true" pending={texts.saving}>
              {texts.saveDraft}
            </ChoiceButton>
            <ChoiceButton name="draft" value="false" pending={texts.publishing} isPrimary>
              {texts.publish}
            </ChoiceButton>
          </>
        )}
        <PreviewButton texts={texts.editor} />
      </div>
    </Form>
  );
}

const maxima = { title: titleMaximum, content: contentMaximum };

/**
 * Errors for a text that is too long, as soon as it is.
 * A very long one would be refused before the server reads it, and the fields do not cut pasted text.
 */
function tooLong(
  form: FormData,
  texts: PostFormTexts["tooLong"],
  convention: string,
): FieldErrors | undefined {
  const errors: FieldErrors = {};
  for (const name of ["title", "content"] as const) {
    const { length } = withLineFeeds(String(form.get(name) ?? "")).trim();
    if (length > maxima[name])
      errors[name] = [fill(texts[name], { length: length.toLocaleString(convention) })];
  }
  return Object.keys(errors).length > 0 ? errors : undefined;
}
