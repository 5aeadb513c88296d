/** The pages to log in on. */
export const logIn = {} as const;
