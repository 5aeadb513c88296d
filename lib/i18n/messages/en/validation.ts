/** What is wrong with an input. */
export const validation = {} as const;
