/**
 * Draws the image of a shared link to a post: 1200 × 630 pixels, as PNG.
 * All of it runs on threads of libuv.
 */
import { join } from "node:path";
import sharp, { type OverlayOptions, type Sharp } from "sharp";
import { textDirection } from "../i18n/text-direction.ts";
import { filledWidth, starPath } from "../ratings/score/star-shape.ts";
import { type Layer, textLayer } from "./text-layer.ts";

// Finished images are kept, not their parts; and one processor is enough for one.
sharp.cache(false);
sharp.concurrency(1);

export interface SocialImage {
  siteName: string;
  title: string;
  /** The post's language; null when it is unknown. */
  lang: string | null;
  author: string;
  /** 0 to 5 for the stars, and in figures; null without a score. */
  score: { stars: number; text: string } | null;
  /** How many ratings there are, in words. */
  ratings: string;
}

export const imageSize = { width: 1200, height: 630 };

const { width, height } = imageSize;
const margin = 80;
const inner = width - 2 * margin;
const gap = 24;
// An image has one theme, the light one.
const colours = { paper: "#fbfaf7", ink: "#221f1b", quiet: "#655f56", hairline: "#e3ded4", water: "#1d5f8c" };

const iconSize = 48;
const headMiddle = 94;
const titleTop = 164;
const titleHeight = 300;
/** Sizes of the title in pixels; the first that fits is taken. */
const titleSizes = [76, 60];
const lineTop = 500;
const footMiddle = 562;

/**
 * The image, mirrored for a title that is read from right to left.
 * Shows the site's name in place of a title that the fonts cannot draw.
 */
export async function drawSocialImage({
  siteName,
  title,
  lang,
  author,
  score,
  ratings,
}: SocialImage): Promise<Buffer> {
  const direction = textDirection(title, lang);
  const isMirrored = direction === "rtl";
  const strong = { font: "strong", colour: colours.water } as const;
  const icon = await shapeLayer(sharp(iconFile, { density: 300 }).resize(iconSize), isMirrored);
  const name = await textLayer(siteName, {
    ...strong,
    size: 34,
    maximum: 60,
    width: inner - iconSize - gap,
  });
  const heading =
    (await titleLayer(title, direction)) ?? (await titleLayer(siteName, textDirection(siteName, null)));
  const by = await textLayer(author, {
    font: "plain",
    colour: colours.ink,
    size: 32,
    maximum: 32,
    width: 460,
  });
  const figures =
    score && (await textLayer(score.text, { ...strong, size: 54, maximum: 10, width: margin * 2 }));
  const stars = score && (await starsLayer(score.stars, isMirrored));
  const count = await textLayer(ratings, {
    font: "plain",
    colour: colours.quiet,
    size: 30,
    maximum: 30,
    width: 300,
  });
  const countStart = width - margin - widthOf(count);
  const starsStart = countStart - gap - widthOf(stars);
  const placed: [layer: Layer | null, start: number, middle: number][] = [
    [icon, margin, headMiddle],
    [name, margin + iconSize + gap, headMiddle],
    [heading, margin, titleTop + titleHeight / 2],
    [by, margin, footMiddle],
    [figures, starsStart - gap - widthOf(figures), footMiddle],
    [stars, starsStart, footMiddle],
    [count, countStart, footMiddle],
  ];
  const layers = placed.flatMap(([layer, start, middle]): OverlayOptions[] =>
    layer
      ? [
          {
            input: layer.png,
            left: Math.round(isMirrored ? width - start - layer.width : start),
            top: Math.round(middle - layer.height / 2),
          },
        ]
      : [],
  );
  const paper = svg(
    `<rect width="${width}" height="${height}" fill="${colours.paper}"/>
    <rect x="${margin}" y="${lineTop}" width="${inner}" height="2" fill="${colours.hairline}"/>`,
    imageSize,
  );
  return sharp(paper).composite(layers).png({ palette: true, colours: 64 }).toBuffer();
}

const iconFile = join(/* turbopackIgnore: true */ process.cwd(), "public/icon.svg");

async function titleLayer(title: string, direction: "ltr" | "rtl"): Promise<Layer | null> {
  const options = { font: "reading", colour: colours.ink, maximum: 120, width: inner, direction } as const;
  for (const size of titleSizes) {
    const layer = await textLayer(title, { ...options, size });
    if (!layer || layer.height <= titleHeight) return layer;
  }
  return textLayer(title, { ...options, size: 40, height: titleHeight });
}

/** Five stars, filled up to the score. */
function starsLayer(score: number, isMirrored: boolean): Promise<Layer> {
  const stars = [0, 1, 2, 3, 4]
    .map((star) => `<path d="${starPath}" transform="translate(${star * 24} 0)"/>`)
    .join("");
  const shapes = svg(
    `<clipPath id="filled"><rect width="${filledWidth(score)}" height="24"/></clipPath>
    <g fill="none" stroke="${colours.water}" stroke-width="1.4" stroke-linejoin="round">${stars}</g>
    <g fill="${colours.water}" clip-path="url(#filled)">${stars}</g>`,
    { width: 120, height: 24 },
  );
  return shapeLayer(sharp(shapes, { density: 150 }).resize(204), isMirrored);
}

async function shapeLayer(shape: Sharp, isMirrored: boolean): Promise<Layer> {
  const { data, info } = await shape.flop(isMirrored).png().toBuffer({ resolveWithObject: true });
  return { png: data, width: info.width, height: info.height };
}

function svg(shapes: string, size: { width: number; height: number }): Buffer {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}">${shapes}</svg>`,
  );
}

function widthOf(layer: Layer | null): number {
  return layer?.width ?? 0;
}
