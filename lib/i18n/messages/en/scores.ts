/** The explanation of scores, and the chart of a score through a flood. */
export const scores = {} as const;
