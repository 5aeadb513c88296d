/** The page of a post's activity. */
export const activity = {} as const;
