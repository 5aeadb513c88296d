"use client";

import { Form } from "@/app/_components/form";
import { Field, FileField, SubmitButton } from "@/app/_components/form-fields";
import { altMaximum, uploadMaximumBytes, uploadTypes } from "@/lib/media/bounds";
import type { FieldErrors } from "@/lib/validation";
import { upload } from "./actions";
import type { UploadFormTexts } from "./upload-form-texts";

/** The form that uploads an image. */
export function UploadForm({ texts }: { texts: UploadFormTexts }) {
  return (
    <Form
      action={upload}
      check={(form) => tooLarge(form, texts.tooLarge)}
      className="flex max-w-md flex-col gap-5"
    >
      <FileField label={texts.file} name="file" accept={uploadTypes} help={texts.fileHelp} />
      <Field label={texts.alt} name="alt" help={texts.altHelp} maxLength={altMaximum} optional />
      <div>
        <SubmitButton pending={texts.submitting}>{texts.submit}</SubmitButton>
      </div>
    </Form>
  );
}

/** A larger file would be refused before the server reads the form. */
function tooLarge(form: FormData, text: string): FieldErrors | undefined {
  const file = form.get("file");
  return file instanceof File && file.size > uploadMaximumBytes ? { file: [text] } : undefined;
}
