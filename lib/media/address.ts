/**
 * The addresses of an image's files, each from the address in a text.
 * `/media/ID-1600x900.webp` names the largest file. The others have the same id and another size or type, so that
 * texts are rendered without the database.
 */

/** An image as its address describes it, with the size of its largest file. */
export interface ImageShape {
  /** 25 random letters and digits. */
  name: string;
  width: number;
  height: number;
  /** Has one moving file, besides the still ones of its first frame. */
  isAnimated: boolean;
}

export interface Size {
  width: number;
  height: number;
}

export const mediaPath = "/media/";

/** Whether a path is one of the images' files, or would be. */
export function isMedia(path: string): boolean {
  return path.startsWith(mediaPath);
}

/** Widths of the files that every larger image has. */
const widths = [480, 960];
/** The largest file of a still image; wide enough for a column on any screen. */
export const stillMaximum: Size = { width: 1600, height: 4800 };
/** The largest file of a moving image, whose frames take many times the room. */
export const animatedMaximum: Size = { width: 960, height: 960 };

const largestFile = /^([a-z0-9]{25})-([1-9]\d{0,3})x([1-9]\d{0,3})(-animated)?\.webp$/;
/**
 * The sides of the square PNG files that the site's icon has besides.
 * 180 is for home screens of Apple's devices.
 */
export const iconSides = [48, 180, 192, 512] as const;
/** The name of any file of an image. */
export const fileName = /^([a-z0-9]{25})-[1-9]\d{0,3}x[1-9]\d{0,3}(?:-animated)?\.(webp|avif|png)$/;

/** The image that an address names; undefined for any other address. */
export function imageAt(address: string): ImageShape | undefined {
  if (!isMedia(address)) return undefined;
  const parts = largestFile.exec(address.slice(mediaPath.length));
  if (!parts) return undefined;
  const [, name = "", width, height, animated] = parts;
  return { name, width: Number(width), height: Number(height), isAnimated: animated !== undefined };
}

/** The address by which texts show the image. */
export function imageAddress(image: ImageShape): string {
  return `${mediaPath}${image.name}-${image.width}x${image.height}${image.isAnimated ? "-animated" : ""}.webp`;
}

/** The address of a still file. */
export function stillAddress({ name }: ImageShape, { width, height }: Size, type: "webp" | "avif"): string {
  return `${mediaPath}${name}-${width}x${height}.${type}`;
}

/** The address of a square file of the site's icon. */
export function iconAddress({ name }: ImageShape, side: (typeof iconSides)[number]): string {
  return `${mediaPath}${name}-${side}x${side}.png`;
}

/** The names of all files of an image; those of the site's icon are more. */
export function filesOf(image: ImageShape): string[] {
  const still = sizesOf(image).flatMap((size) => [
    stillAddress(image, size, "avif"),
    stillAddress(image, size, "webp"),
  ]);
  return [...still, ...(image.isAnimated ? [imageAddress(image)] : [])].map((address) =>
    address.slice(mediaPath.length),
  );
}

/** The smallest still file, for thumbnails. */
export function thumbnailAddress(image: ImageShape, type: "webp" | "avif" = "webp"): string {
  return stillAddress(image, sizesOf(image)[0] ?? image, type);
}

/** The sizes of an image's still files, the smallest first. */
export function sizesOf({ width, height }: Size): Size[] {
  const smaller = widths.filter((each) => each < width);
  return [
    ...smaller.map((each) => ({ width: each, height: Math.max(1, Math.round((height * each) / width)) })),
    { width, height },
  ];
}

/** A size made to fit within a maximum; never enlarged. */
export function within({ width, height }: Size, maximum: Size): Size {
  const scale = Math.min(1, maximum.width / width, maximum.height / height);
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}

/** The Markdown that shows an image. */
export function markdownOf(image: ImageShape & { alt: string }): string {
  return `![${image.alt.replace(/[\\[\]*_`<>&]/g, "\\$&")}](${imageAddress(image)})`;
}

/** How wide an image is shown in a text, for `sizes`. */
export const columnWidths = "(min-width: 46rem) 42rem, 100vw";

/** The addresses for `srcset`, with their widths. */
export function sourceSet(image: ImageShape, type: "webp" | "avif"): string {
  return sizesOf(image)
    .map((size) => `${stillAddress(image, size, type)} ${size.width}w`)
    .join(", ");
}

const addressInText = /\/media\/([a-z0-9]{25})-\d/g;
/** The most images of one post that are noted as used by it. */
const namesMaximum = 1_000;

/** The names of the images that a text refers to. */
export function namesIn(text: string): string[] {
  const names = new Set<string>();
  for (const [, name = ""] of text.matchAll(addressInText)) {
    names.add(name);
    if (names.size >= namesMaximum) break;
  }
  return [...names];
}
