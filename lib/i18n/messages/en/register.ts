/** The page to register on. */
export const register = {} as const;
