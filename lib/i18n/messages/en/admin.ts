/** The pages for administrators and moderators. */
export const admin = {} as const;
