/** The images of shared links, drawn once for each content and kept in memory. */
import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { drawSocialImage, type SocialImage } from "./draw.ts";

export { imageSize, type SocialImage } from "./draw.ts";

interface SocialImages {
  /**
   * The PNG; "busy" when too many others wait to be drawn.
   * Also "busy" when `mayDraw`, which is called only for an image that must be drawn, resolves to false.
   */
  find(image: SocialImage, mayDraw: () => Promise<boolean>): Promise<Buffer | "busy">;
}

/** Raised with any change of the design, so that kept images are not used. */
const designVersion = 2;

/** A hash of an image's content, for addresses and entity tags. */
export function versionOf(image: SocialImage): string {
  return createHash("sha256")
    .update(JSON.stringify([designVersion, image]))
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
  /** Undefined for an image that its first client may not have drawn. */
  const drawings = new Map<string, Promise<Buffer | undefined>>();
  let last: Promise<unknown> = Promise.resolve();

  async function drawNext(image: SocialImage, mayDraw: () => Promise<boolean>): Promise<Buffer | undefined> {
    if (!(await mayDraw())) return undefined;
    const drawing = last.then(() => draw(image));
    last = drawing.catch(() => {}); // Reported to the callers that wait for it.
    return drawing;
  }

  return {
    async find(image, mayDraw) {
      const version = versionOf(image);
      for (let running = drawings.get(version); running; running = drawings.get(version)) {
        const png = await running;
        if (png) return png;
      }
      const kept = images.get(version);
      if (kept) return kept;
      if (drawings.size >= waitingMaximum) return "busy";
      const drawing = drawNext(image, mayDraw).finally(() => drawings.delete(version));
      drawings.set(version, drawing);
      const png = await drawing;
      if (png) images.set(version, png);
      return png ?? "busy";
    },
  };
}

let images: SocialImages | undefined;

/** The process's images. */
export function socialImages(): SocialImages {
  images ??= createSocialImages();
  return images;
}
