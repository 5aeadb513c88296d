/** A user's page. */
export const profile = {} as const;
