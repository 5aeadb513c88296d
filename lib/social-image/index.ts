/** The images of shared links, drawn once for what they show and kept in memory. */
import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { drawSocialImage, type SocialImage } from "./draw.ts";

export { imageSize, type SocialImage } from "./draw.ts";

export interface SocialImages {
  /** Whether the image needs not be drawn any more. */
  has(image: SocialImage): boolean;
  /** The PNG; "busy" when too many others wait to be drawn. */
  find(image: SocialImage): Promise<Buffer | "busy">;
}

/** Raised with any change of how images look, so that kept ones are not used. */
const lookVersion = 1;

/** A name for what an image shows, for addresses and entity tags. */
export function versionOf(image: SocialImage): string {
  return createHash("sha256")
    .update(JSON.stringify([lookVersion, image]))
    .digest("base64url")
    .slice(0, 16);
}

/** Draws one image at a time: its cost is at most one processor's. */
export function createSocialImages({
  bytesMaximum = 16_000_000,
  waitingMaximum = 12,
  draw = drawSocialImage,
} = {}): SocialImages {
  const images = new LRUCache<string, Buffer>({
    maxSize: bytesMaximum,
    sizeCalculation: (png) => Math.max(1, png.length),
  });
  const drawings = new Map<string, Promise<Buffer>>();
  let last: Promise<unknown> = Promise.resolve();
  return {
    has(image) {
      const version = versionOf(image);
      return images.has(version) || drawings.has(version);
    },
    async find(image) {
      const version = versionOf(image);
      const known = images.get(version) ?? drawings.get(version);
      if (known) return known;
      if (drawings.size >= waitingMaximum) return "busy";
      const drawing = last.then(() => draw(image)).finally(() => drawings.delete(version));
      drawings.set(version, drawing);
      last = drawing.catch(() => {}); // Reported to those who wait for it.
      const png = await drawing;
      images.set(version, png);
      return png;
    },
  };
}

let images: SocialImages | undefined;

/** The process's images. */
export function socialImages(): SocialImages {
  images ??= createSocialImages();
  return images;
}
