/** Rating a post. */
export const rating = {} as const;
