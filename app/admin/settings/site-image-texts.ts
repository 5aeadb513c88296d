import { translator } from "@/lib/i18n";
import { uploadMaximumBytes } from "@/lib/media/bounds";

export type SiteImageTexts = ReturnType<typeof siteImageTexts>;

export function siteImageTexts() {
  const t = translator("siteSettings");
  return {
    upload: t("images.upload"),
    uploading: t("images.uploading"),
    remove: t("images.remove"),
    removing: t("images.removing"),
    tooLarge: translator("validation")("image.tooLarge", { maximum: uploadMaximumBytes / 1024 / 1024 }),
  };
}
