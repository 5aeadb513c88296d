/**
 * Re-encodes an uploaded image as files of several sizes.
 * Only its pixels are kept: no metadata, such as the place where a photo was taken, and nothing that is hidden in the
 * file. Slow and native, so only the process of `image-worker.ts` calls it.
 */
import sharp, { type Sharp } from "sharp";
import { backgrounds } from "../site/colours.ts";
import { animatedMaximum, iconSides, type Size, sizesOf, stillMaximum, within } from "./address.ts";

// One image at a time, on one processor.
sharp.cache(false);
sharp.concurrency(1);
// Of the formats that the library reads, such as SVG and PDF, only these.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: [
    "VipsForeignLoadJpegBuffer",
    "VipsForeignLoadPngBuffer",
    "VipsForeignLoadWebpBuffer",
    "VipsForeignLoadHeifBuffer",
    "VipsForeignLoadNsgifBuffer",
  ],
});

/**
 * The most pixels of an image, or of all frames together.
 * A large photo of a phone has 50 million.
 */
const pixelsMaximum = 64_000_000;
/** The most frames of a moving image. */
const framesMaximum = 1_000;
/** The quality of AVIF files; of the smallest, of which a list of posts has many. */
const avifQuality = { smallest: 34, other: 55 };
/** The largest file of a moving image, in bytes. */
const animatedMaximumBytes = 10 * 1024 * 1024;

export type ImageFault = "unreadable" | "too-many-pixels" | "animation-too-long";

export interface EncodedFile {
  /** The end of its name, such as `480x270.avif`. */
  ending: string;
  bytes: Uint8Array;
}

export interface EncodedImage extends Size {
  kind: "encoded";
  isAnimated: boolean;
  files: EncodedFile[];
}

export interface EncodingOptions {
  /** Whether it becomes the site's icon, with square files besides. */
  isIcon?: boolean;
}

/** The largest file of each kind comes last. */
export async function encodeImage(
  bytes: Uint8Array,
  { isIcon = false }: EncodingOptions = {},
): Promise<EncodedImage | { kind: ImageFault }> {
  try {
    const { width, height, pages = 1 } = await open(bytes).metadata();
    const isAnimated = pages > 1;
    if (isAnimated && (pages > framesMaximum || width * height * pages > pixelsMaximum))
      return { kind: "animation-too-long" };
    return await encode(bytes, { isAnimated, isIcon });
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    return { kind: /pixel limit|too large|dimensions/i.test(message) ? "too-many-pixels" : "unreadable" };
  }
}

function open(bytes: Uint8Array, pages = 1): Sharp {
  return sharp(bytes, { limitInputPixels: pixelsMaximum, failOn: "error", pages });
}

async function encode(
  bytes: Uint8Array,
  { isAnimated, isIcon }: { isAnimated: boolean; isIcon: boolean },
): Promise<EncodedImage | { kind: ImageFault }> {
  const { width: givenWidth, height: givenHeight, autoOrient } = await open(bytes).metadata();
  // The library turns no animation: its stills are not turned either.
  const size = isAnimated
    ? within({ width: givenWidth, height: givenHeight }, animatedMaximum)
    : within(autoOrient, stillMaximum);
  const upright = isAnimated ? open(bytes) : open(bytes).autoOrient();
  // Decoded once; the smaller sizes are made of the largest.
  const { data, info } = await upright
    .resize({ ...size, fit: "fill" })
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const largest = () => sharp(data, { raw: { width, height, channels } });
  const files: EncodedFile[] = [];
  const sizes = sizesOf(size);
  for (const each of sizes) {
    const resized = () => (each.width === width ? largest() : largest().resize({ ...each, fit: "fill" }));
    const name = `${each.width}x${each.height}`;
    // An image of one size is shown in texts, too.
    const quality = each === sizes[0] && sizes.length > 1 ? avifQuality.smallest : avifQuality.other;
    files.push({
      ending: `${name}.avif`,
      bytes: await resized().avif({ quality, effort: 3 }).toBuffer(),
    });
    files.push({ ending: `${name}.webp`, bytes: await resized().webp({ quality: 80 }).toBuffer() });
  }
  if (isIcon)
    for (const side of iconSides)
      files.push({ ending: `${side}x${side}.png`, bytes: await square(largest(), side) });
  if (isAnimated) {
    const moving = await open(bytes, -1)
      .resize({ ...size, fit: "fill" })
      .webp({ quality: 75, effort: 2 })
      .toBuffer();
    if (moving.length > animatedMaximumBytes) return { kind: "animation-too-long" };
    files.push({ ending: `${size.width}x${size.height}-animated.webp`, bytes: moving });
  }
  return { kind: "encoded", ...size, isAnimated, files };
}

/** The whole image within a square, as PNG; the rest is empty. */
function square(image: Sharp, side: number): Promise<Buffer> {
  const size = { width: side, height: side, fit: "contain" } as const;
  // Apple's devices show transparent pixels as black.
  return side === 180
    ? image
        .resize({ ...size, background: backgrounds.light })
        .flatten({ background: backgrounds.light })
        .png()
        .toBuffer()
    : image
        .ensureAlpha()
        .resize({ ...size, background: "#0000" })
        .png()
        .toBuffer();
}
