/** The lab. */
export const lab = {} as const;
