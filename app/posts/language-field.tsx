import { Select } from "@/app/_components/form-fields";
import { translator } from "@/lib/i18n";
import { conventions } from "@/lib/i18n/locale";
import { currentLocale } from "@/lib/request/current-request";

/** Languages to choose from; the API takes any. */
const offered = "ar az bn ckb de el en es fa fr he hi id it ja ko nl pl ps pt ru sv tr uk ur zh".split(" ");

interface Languages {
  chosenLang: string | null;
  detectedLang: string | null;
}

/** The choice of a post's language; a new post has none yet. */
export function LanguageField({ post }: { post?: Languages | undefined }) {
  const t = translator("prose");
  const locale = conventions[currentLocale()];
  const names = new Intl.DisplayNames([locale], { type: "language" });
  const nameOf = (lang: string) => names.of(lang) ?? lang;
  const chosen = post?.chosenLang ?? "";
  const detected = post?.detectedLang;
  const languages = [...new Set([...offered, ...(chosen ? [chosen] : [])])]
    .map((lang) => ({ value: lang, label: nameOf(lang) }))
    .toSorted((one, other) => one.label.localeCompare(other.label, locale));
  const detect = detected ? t("language.detected", { language: nameOf(detected) }) : t("language.detect");
  return (
    <Select
      label={t("language.label")}
      name="lang"
      help={t("language.help")}
      options={[{ value: "", label: detect }, ...languages]}
      defaultValue={chosen}
      isNarrow
    />
  );
}
