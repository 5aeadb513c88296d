/**
 * The direction in which a text is read.
 * That of its first letter, as `dir="auto"` finds it.
 */
export function textDirection(text: string): "ltr" | "rtl" {
  const [first = ""] = /\p{L}/u.exec(text) ?? [];
  const isRightToLeft =
    /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(first);
  return isRightToLeft ? "rtl" : "ltr";
}
