/** The front page and other lists of posts. */
export const home = {} as const;
