/** The bounds of uploads, for the browser too. */

export const altMaximum = 500;
/** The largest file that can be uploaded, in bytes. */
export const uploadMaximumBytes = 10 * 1024 * 1024;
/** The types that a file field offers; what a file is, its bytes decide. */
export const uploadTypes = "image/jpeg,image/png,image/webp,image/avif,image/gif";
