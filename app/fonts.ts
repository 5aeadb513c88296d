/**
 * The typefaces, from installed packages.
 * Only those that nearly every page needs are preloaded.
 */
import localFont from "next/font/local";

const literata = localFont({
  src: "../node_modules/@fontsource-variable/literata/files/literata-latin-wght-normal.woff2",
  weight: "200 900",
  variable: "--font-literata",
  adjustFontFallback: "Times New Roman",
});

const literataItalic = localFont({
  src: "../node_modules/@fontsource-variable/literata/files/literata-latin-wght-italic.woff2",
  weight: "200 900",
  style: "italic",
  preload: false,
  variable: "--font-literata-italic",
  adjustFontFallback: "Times New Roman",
});

const literataExtended = localFont({
  src: "../node_modules/@fontsource-variable/literata/files/literata-latin-ext-wght-normal.woff2",
  weight: "200 900",
  preload: false,
  variable: "--font-literata-extended",
  adjustFontFallback: false,
  declarations: [{ prop: "unicode-range", value: "U+0100-02BA, U+1E00-1E9F, U+1EF2-1EFF, U+2C60-2C7F" }],
});

const inter = localFont({
  src: "../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
  weight: "100 900",
  variable: "--font-inter",
  adjustFontFallback: "Arial",
});

const vazirmatn = localFont({
  src: "../node_modules/@fontsource-variable/vazirmatn/files/vazirmatn-arabic-wght-normal.woff2",
  weight: "100 900",
  preload: false,
  variable: "--font-vazirmatn",
  adjustFontFallback: false,
  declarations: [
    { prop: "unicode-range", value: "U+0600-06FF, U+0750-077F, U+200C-200E, U+FB50-FDFF, U+FE70-FEFC" },
  ],
});

/** Classes for the root element that define the typefaces' CSS variables. */
export const fontVariables = [literata, literataItalic, literataExtended, inter, vazirmatn]
  .map(({ variable }) => variable)
  .join(" ");
