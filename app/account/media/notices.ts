export const imagesPath = "/account/media";

/** The messages about an action that has just been done. */
export const imageNotices = ["uploaded", "described", "removed", "image-used"] as const;
export type ImageNotice = (typeof imageNotices)[number];
