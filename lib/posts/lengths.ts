/** The longest title and text of a post, in characters (UTF-16 code units). */
export const titleMaximum = 200;
export const contentMaximum = 50_000;
