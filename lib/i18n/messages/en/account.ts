/** The account page. */
export const account = {} as const;
