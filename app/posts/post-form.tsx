"use client";

import { useRef } from "react";
import { draftPrefix } from "@/app/_components/drafts";
import { Form, type FormAction } from "@/app/_components/form";
import { Field, SubmitButton } from "@/app/_components/form-fields";
import { contentMaximum, titleMaximum } from "@/lib/posts/lengths";
import type { FieldErrors } from "@/lib/validation";
import { type SavedText, UnsavedText } from "./unsaved-text";

interface PostFormProps {
  action: FormAction;
  /** The writer; null when a form sent without JavaScript is shown again. */
  userId: number | null;
  /** The post that is changed; a new one has none. */
  post?: SavedText & { slug: string };
  submit: string;
  submitting: string;
  /** Fields after the text. */
  children?: React.ReactNode;
}

/** The form for a new or existing post. */
export function PostForm({ action, userId, post, submit, submitting, children }: PostFormProps) {
  const removeSaved = useRef(() => {});
  return (
    <Form
      action={action}
      check={tooLong}
      onDone={() => removeSaved.current()}
      keptNotice="Your text is still here."
      className="mt-8 flex flex-col gap-6"
    >
      {userId !== null && (
        <UnsavedText
          keyPrefix={draftPrefix(userId, post?.slug)}
          saved={post ?? nothing}
          removeSaved={removeSaved}
        />
      )}
      <Field label="Title" name="title" defaultValue={post?.title ?? ""} autoComplete="off" />
      <Field
        label="Content"
        name="content"
        defaultValue={post?.content ?? ""}
        rows={18}
        help="In Markdown: ## heading, *emphasis*, **strong**, [link](https://…), - list, > quotation, tables."
      />
      {children}
      <div>
        <SubmitButton pending={submitting}>{submit}</SubmitButton>
      </div>
    </Form>
  );
}

const nothing: SavedText = { title: "", content: "", updatedAt: 0 };

/**
 * Errors for a text that is too long, with the excess.
 * A very long one would be refused before the server reads it, and the fields do not cut pasted text.
 */
function tooLong(form: FormData): FieldErrors | undefined {
  const errors: FieldErrors = {};
  for (const [name, label, maximum] of [
    ["title", "The title", titleMaximum],
    ["content", "The text", contentMaximum],
  ] as const) {
    const excess =
      String(form.get(name) ?? "")
        .replace(/\r\n?/g, "\n")
        .trim().length - maximum;
    if (excess > 0)
      errors[name] = [
        `${label} is ${characters(excess)} too long: at most ${maximum.toLocaleString("en")} are possible.`,
      ];
  }
  return Object.keys(errors).length > 0 ? errors : undefined;
}

function characters(count: number): string {
  return count === 1 ? "one character" : `${count.toLocaleString("en")} characters`;
}
