/** What a page says when there is nothing else to show. */
export const errors = {} as const;
