/** A flood, to the author, moderators and raters of a post. */
export const flood = {} as const;
