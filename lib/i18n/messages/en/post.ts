/** A post and its score. */
export const post = {} as const;
