/** The bounds of uploads, for the browser too. */

export const altMaximum = 500;
/** The largest file that can be uploaded, in bytes. */
export const uploadMaximumBytes = 10 * 1024 * 1024;
/** The types that a file field offers; a file's type is detected from its bytes. */
export const uploadTypes = "image/jpeg,image/png,image/webp,image/avif,image/gif";
/** How many images the editor takes at a time. */
export const uploadsMaximum = 20;
