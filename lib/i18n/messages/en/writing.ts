/** Writing and changing a post. */
export const writing = {} as const;
