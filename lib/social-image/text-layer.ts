/**
 * A text as an image, shaped and broken into lines by Pango, within sharp.
 * Pango reads no compressed fonts, so these come from packages of their own.
 */
import { join } from "node:path";
import sharp from "sharp";
import { escapeMarkup } from "../text/escape-markup.ts";

const fonts = join(/* turbopackIgnore: true */ process.cwd(), "node_modules/@expo-google-fonts");
const fontFiles = [
  join(fonts, "literata/600SemiBold/Literata_600SemiBold.ttf"),
  join(fonts, "vazirmatn/400Regular/Vazirmatn_400Regular.ttf"),
  join(fonts, "vazirmatn/600SemiBold/Vazirmatn_600SemiBold.ttf"),
] as const;

const fontNames = {
  reading: "Literata,Vazirmatn Semi-Bold",
  plain: "Vazirmatn Regular",
  strong: "Vazirmatn Semi-Bold",
};

export interface Layer {
  png: Buffer;
  width: number;
  height: number;
}

interface TextOptions {
  font: keyof typeof fontNames;
  /** In pixels. */
  size: number;
  colour: string;
  /** The most letters, as people count them. */
  maximum: number;
  /** The most pixels across. */
  width: number;
  /** That of the first letter when it is left out. */
  direction?: "ltr" | "rtl";
  /** When set, the text is made to fit, whatever its size. */
  height?: number;
}

/**
 * A text on nothing, as large as its ink; null when it has none.
 * Null also for a script without a font.
 */
export async function textLayer(
  text: string,
  { font, size, colour, maximum, width, direction, height }: TextOptions,
): Promise<Layer | null> {
  await fontsReady();
  const shown = shortened(printable(text), maximum);
  if (shown === "" || otherScripts.test(shown)) return null;
  const mark = direction === undefined ? "" : directionMarks[direction];
  const drawing = sharp({
    text: {
      text: `<span foreground="${colour}" insert_hyphens="false">${mark}${escapeMarkup(shown)}</span>`,
      font: `${fontNames[font]} ${size}`,
      fontfile: fontFiles[0],
      width,
      // At 72 dots per inch a point is a pixel.
      ...(height === undefined ? { dpi: 72 } : { height }),
      wrap: "word-char",
      rgba: true,
    },
  });
  try {
    const drawn = await drawing.png({ compressionLevel: 0 }).toBuffer({ resolveWithObject: true });
    // Pango breaks no chain of letters that one sign joins, however long.
    const { data, info } =
      drawn.info.width > width
        ? await sharp(drawn.data).resize({ width }).png().toBuffer({ resolveWithObject: true })
        : drawn;
    return { png: data, width: info.width, height: info.height };
  } catch (error) {
    // Characters that are blank, such as U+2800, and chains longer than any image.
    if (error instanceof Error && /no text to render|invalid value \(typically too big\)/.test(error.message))
      return null;
    throw error;
  }
}

/** Letters of scripts that the fonts do not cover: each would be an empty box. */
const otherScripts =
  /(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Common}\p{Script=Inherited}])[\p{L}\p{M}\p{N}]/u;

/** Before a text, they set its paragraph's direction. */
const directionMarks = { ltr: "\u200e", rtl: "\u200f" };

let loading: Promise<unknown> | undefined;

/** A font is known from the first text that names its file. */
function fontsReady(): Promise<unknown> {
  loading ??= Promise.all(
    fontFiles.map((fontfile) =>
      sharp({ text: { text: "x", fontfile, dpi: 72 } })
        .png()
        .toBuffer(),
    ),
  );
  return loading;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
/** More code units than so many letters need in any language. */
const unitsPerLetter = 12;

/** At most so many letters, with an ellipsis in place of the others. */
function shortened(text: string, maximum: number): string {
  const letters = Array.from(
    graphemes.segment(text.slice(0, maximum * unitsPerLetter)),
    ({ segment }) => segment,
  );
  const isWhole = letters.length <= maximum && text.length <= maximum * unitsPerLetter;
  return isWhole
    ? text
    : `${letters
        .slice(0, maximum - 1)
        .join("")
        .trimEnd()}…`;
}

/** A text of so many code units has more letters than any image shows. */
const unitsMaximum = 10_000;

/**
 * The text without characters that the fonts cannot draw or must not act on.
 * Pictures, control characters, changes of direction, and piles of combining marks.
 */
function printable(text: string): string {
  return (
    text
      .slice(0, unitsMaximum)
      .toWellFormed()
      .replace(/\s+/g, " ")
      .replace(
        /\p{Emoji_Presentation}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\p{Variation_Selector}/gu,
        "",
      )
      // Persian writes with the zero-width non-joiner, other languages with the joiner.
      .replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu, "")
      .normalize("NFC")
      .replace(/(\p{M}{3})\p{M}+/gu, "$1")
      .replace(/\s+/g, " ")
      .trim()
  );
}
