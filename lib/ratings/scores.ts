/** The scores there are; 0 is one of them. Apart from the schema, so that a page's script need not carry that. */
export const scores = [0, 1, 2, 3, 4, 5] as const;
export type Score = (typeof scores)[number];
