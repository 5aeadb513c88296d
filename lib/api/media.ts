/** Schemas of images in the JSON API. */
import { z } from "zod";
import { imageAddress, markdownOf } from "../media/address.ts";
import { altMaximum } from "../media/bounds.ts";
import type { ImageRow } from "../media/index.ts";
import { limit, rowNumber } from "./queries.ts";

/** The query parameters of a list of images. */
export const imageListSchema = z.object({
  before: rowNumber("Before must be a list's nextBefore."),
  limit,
});

/** The form of an upload, for the description. */
export const newImageSchema = z.object({
  file: z.file().describe("A JPEG, PNG, WebP, AVIF or GIF image of at most 10 MB."),
  alt: z.string().max(altMaximum).optional().describe("What it shows, for readers who do not see it."),
});

export const imageAnswer = z.object({
  id: z.int(),
  address: z.string().describe("The address for posts; the page offers the image's other sizes by itself."),
  markdown: z.string().describe("The Markdown that shows it in a post."),
  alt: z.string(),
  width: z.int().min(1),
  height: z.int().min(1),
  bytes: z.int().describe("The size of all its files together."),
  createdAt: z.string().meta({ format: "date-time" }),
});

export const imageListAnswer = z.object({
  items: z.array(imageAnswer),
  nextBefore: z.string().nullable().describe("For the next page's before; null on the last page."),
});

/** An image as its owner sees it. */
export function shownImage(image: ImageRow): z.infer<typeof imageAnswer> {
  const { id, alt, width, height, bytes, createdAt } = image;
  return {
    id,
    address: imageAddress(image),
    markdown: markdownOf(image),
    alt,
    width,
    height,
    bytes,
    createdAt: new Date(createdAt).toISOString(),
  };
}
