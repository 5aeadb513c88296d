/** Schemas of images in the JSON API. */
import { z } from "zod";
import { imageAddress, markdownOf } from "../media/address.ts";
import type { OwnedImage } from "../media/administration.ts";
import { altMaximum } from "../media/bounds.ts";
import type { ImageRow } from "../media/index.ts";
import { limit, name, rowNumber } from "./queries.ts";

/** The query parameters of a list of images. */
export const imageListSchema = z.object({
  before: rowNumber("Before must be a list's nextBefore."),
  limit,
});

/** The query parameters of the list of all users' images. */
export const allImagesSchema = z.object({
  username: name("Username").describe("Only images of this user."),
  before: imageListSchema.shape.before,
});

/** The form of an upload, for the description. */
export const newImageSchema = z.object({
  file: z.file().describe("A JPEG, PNG, WebP, AVIF or GIF image of at most 10 MB."),
  alt: z
    .string()
    .max(altMaximum)
    .optional()
    .describe("A description of the image, for readers who do not see it."),
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

const imageListAnswer = z.object({
  items: z.array(imageAnswer),
  nextBefore: z.string().nullable().describe("For the next page's before; null on the last page."),
});

export const ownImageListAnswer = imageListAnswer.extend({
  room: z
    .object({ used: z.int().min(0), maximum: z.int().min(0) })
    .describe("The size of all your images together, in bytes, and how much it may be."),
});

const ownedImageAnswer = imageAnswer.extend({
  username: z.string().describe("Its owner."),
  posts: z.array(z.string()).describe("The slugs of published posts that use it."),
});

export const ownedImageListAnswer = imageListAnswer.extend({
  items: z.array(ownedImageAnswer).describe("The newest first."),
});

export const removedImageAnswer = z.object({ id: z.int(), username: z.string().describe("Its owner.") });

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

/** An image as administrators see it. */
export function shownOwnedImage(image: OwnedImage): z.infer<typeof ownedImageAnswer> {
  const { username, uses } = image;
  return { ...shownImage(image), username, posts: uses.map(({ slug }) => slug) };
}
