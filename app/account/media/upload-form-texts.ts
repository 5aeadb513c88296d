import { translator } from "@/lib/i18n";
import { uploadMaximumBytes } from "@/lib/media/bounds";

export type UploadFormTexts = ReturnType<typeof uploadFormTexts>;

export function uploadFormTexts() {
  const t = translator("media");
  const maximum = uploadMaximumBytes / 1024 / 1024;
  return {
    file: t("upload.file"),
    fileHelp: t("upload.fileHelp", { maximum }),
    tooLarge: translator("validation")("image.tooLarge", { maximum }),
    alt: t("upload.alt"),
    altHelp: t("upload.altHelp"),
    submit: t("upload.submit"),
    submitting: t("upload.submitting"),
  };
}
