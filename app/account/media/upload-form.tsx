import { Form } from "@/app/_components/form";
import { Field, FileField, SubmitButton } from "@/app/_components/form-fields";
import { translator } from "@/lib/i18n";
import { altMaximum, uploadMaximumBytes, uploadTypes } from "@/lib/media/bounds";
import { upload } from "./actions";

/** The form that uploads an image. */
export function UploadForm() {
  const t = translator("media");
  const maximum = uploadMaximumBytes / 1024 / 1024;
  return (
    <Form action={upload} className="flex max-w-md flex-col gap-5">
      <FileField
        label={t("upload.file")}
        name="file"
        accept={uploadTypes}
        help={t("upload.fileHelp", { maximum })}
        maximumBytes={uploadMaximumBytes}
        tooLarge={translator("validation")("image.tooLarge", { maximum })}
      />
      <Field label={t("upload.alt")} name="alt" help={t("upload.altHelp")} maxLength={altMaximum} optional />
      <div>
        <SubmitButton pending={t("upload.submitting")}>{t("upload.submit")}</SubmitButton>
      </div>
    </Form>
  );
}
