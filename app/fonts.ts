/** Loads the typefaces of nearly every page early; `fonts.css` defines them all. */
import { preload } from "react-dom";
import type { Locale } from "@/lib/i18n/locale";
import { postPath } from "@/lib/paths";
import { currentLocale, requestTarget } from "@/lib/request/current-request";
import inter from "../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2";
import literata from "../node_modules/@fontsource-variable/literata/files/literata-latin-wght-normal.woff2";
import vazirmatn from "../node_modules/@fontsource-variable/vazirmatn/files/vazirmatn-arabic-wght-normal.woff2";

const interfaceFonts: Record<Locale, string> = { en: inter, fa: vazirmatn };

/** The two files of a page; a post's own page chooses the second one itself. */
export function preloadFonts(): void {
  preloadFont(interfaceFonts[currentLocale()]);
  if (!requestTarget().startsWith(postPath(""))) preloadFont(literata);
}

/** The file of a post's text, unless `globals.css` has another for its direction. */
export function preloadPostFont(direction: "ltr" | "rtl"): void {
  if (direction === "ltr" || currentLocale() === "fa") preloadFont(literata);
}

function preloadFont(file: string): void {
  preload(file, { as: "font", type: "font/woff2", crossOrigin: "anonymous" });
}
