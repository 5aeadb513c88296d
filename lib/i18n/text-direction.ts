/** Scripts that are written from right to left, by their codes of ISO 15924. */
const rightToLeftScripts = ["Adlm", "Arab", "Hebr", "Nkoo", "Rohg", "Syrc", "Thaa"];

/**
 * The direction in which a text is read.
 * That of its language (BCP 47); for an unknown one of its first letter, as `dir="auto"` finds it.
 */
export function textDirection(text: string, lang: string | null): "ltr" | "rtl" {
  const script = lang ? scriptOf(lang) : undefined;
  if (script !== undefined) return rightToLeftScripts.includes(script) ? "rtl" : "ltr";
  const [first = ""] = /\p{L}/u.exec(text) ?? [];
  const isRightToLeft =
    /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(first);
  return isRightToLeft ? "rtl" : "ltr";
}

/** Undefined for a language without a known script, or while a tag is being typed. */
function scriptOf(lang: string): string | undefined {
  try {
    return new Intl.Locale(lang).maximize().script;
  } catch {
    return undefined;
  }
}
