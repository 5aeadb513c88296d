/** An image of this site as an element that offers its sizes and types. */
import type { Element } from "hast";
import { columnWidths, type ImageShape, imageAddress, sourceSet } from "../media/address.ts";

/** The first one of a text is loaded at once: it may be on the first screen. */
export function pictureOf(image: ImageShape, { alt, isFirst }: { alt: string; isFirst: boolean }): Element {
  const { width, height, isAnimated } = image;
  const still = (type: "webp" | "avif") =>
    element("source", { type: `image/${type}`, srcSet: sourceSet(image, type), sizes: columnWidths });
  const moving = element("source", {
    type: "image/webp",
    srcSet: imageAddress(image),
    // Readers who want nothing to move see the first frame.
    media: "(prefers-reduced-motion: no-preference)",
  });
  const shown = element("img", {
    src: imageAddress(image),
    alt,
    width,
    height,
    ...(!isFirst && { loading: "lazy" }),
    decoding: "async",
  });
  return element("picture", {}, [...(isAnimated ? [moving] : []), still("avif"), still("webp"), shown]);
}

function element(tagName: string, properties: Element["properties"], children: Element[] = []): Element {
  return { type: "element", tagName, properties, children };
}
