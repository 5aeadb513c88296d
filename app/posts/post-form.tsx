"use client";

import { useRef } from "react";
import { draftPrefix } from "@/app/_components/drafts";
import { Form, type FormAction } from "@/app/_components/form";
import { Field, SubmitButton } from "@/app/_components/form-fields";
import { fill, useTexts } from "@/app/_components/texts";
import { conventions } from "@/lib/i18n/locale";
import { withLineFeeds } from "@/lib/line-feeds";
import { contentMaximum, titleMaximum } from "@/lib/posts/lengths";
import type { FieldErrors } from "@/lib/validation";
import type { PostFormTexts } from "./post-form-texts";
import { type SavedText, UnsavedText } from "./unsaved-text";

interface PostFormProps {
  action: FormAction;
  /** The writer; null when a form sent without JavaScript is shown again. */
  userId: number | null;
  /** The post that is changed; a new one has none. */
  post?: SavedText & { slug: string };
  texts: PostFormTexts;
  submit: string;
  submitting: string;
  /** Fields after the text. */
  children?: React.ReactNode;
}

/** The form for a new or existing post. */
export function PostForm({ action, userId, post, texts, submit, submitting, children }: PostFormProps) {
  const removeSaved = useRef(() => {});
  const { locale } = useTexts();
  return (
    <Form
      action={action}
      check={(form) => tooLong(form, texts.tooLong, conventions[locale])}
      onDone={() => removeSaved.current()}
      keptNotice={texts.kept}
      className="mt-8 flex flex-col gap-6"
    >
      {userId !== null && (
        <UnsavedText
          keyPrefix={draftPrefix(userId, post?.slug)}
          saved={post ?? nothing}
          removeSaved={removeSaved}
          texts={texts.unsaved}
        />
      )}
      <Field label={texts.title} name="title" defaultValue={post?.title ?? ""} />
      <Field
        label={texts.content}
        name="content"
        defaultValue={post?.content ?? ""}
        rows={18}
        help={texts.contentHelp}
      />
      {children}
      <div>
        <SubmitButton pending={submitting}>{submit}</SubmitButton>
      </div>
    </Form>
  );
}

const nothing: SavedText = { title: "", content: "", lang: "", updatedAt: 0 };

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
