import { pathWith } from "@/lib/paths";

export const imagesPath = "/account/media";

/** The messages about an action that has just been done. */
export const imageNotices = ["uploaded", "described", "removed", "image-used"] as const;
export type ImageNotice = (typeof imageNotices)[number];

export const imagesPerPage = 12;

/** The path of a page of images, with a signed notice in `done`. */
export function pagePath({ before, done }: { before: number | undefined; done?: string }): string {
  return pathWith(imagesPath, { before, done });
}

/** The id of the form that the buttons of all images send. */
export const removalForm = "removal";

/** The field with the description of an image. */
export function descriptionField(id: number): string {
  return `alt-${id}`;
}

/** The field with the description that the page showed. */
export function shownDescriptionField(id: number): string {
  return `shown-${id}`;
}

/** The image of a field from `descriptionField`; undefined for any other field. */
export function describedImage(field: string): number | undefined {
  const [, id] = /^alt-(\d{1,15})$/.exec(field) ?? [];
  return id === undefined ? undefined : Number(id);
}
