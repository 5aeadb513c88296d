/** Loads the typefaces of nearly every page early; `fonts.css` defines them all. */
import { preload } from "react-dom";
import type { Locale } from "@/lib/i18n/locale";
import inter from "../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2";
import literata from "../node_modules/@fontsource-variable/literata/files/literata-latin-wght-normal.woff2";
import vazirmatn from "../node_modules/@fontsource-variable/vazirmatn/files/vazirmatn-arabic-wght-normal.woff2";

const files: Record<Locale, readonly string[]> = { en: [literata, inter], fa: [literata, vazirmatn] };

/** Two files for each language of the interface. */
export function preloadFonts(locale: Locale): void {
  for (const file of files[locale])
    preload(file, { as: "font", type: "font/woff2", crossOrigin: "anonymous" });
}
