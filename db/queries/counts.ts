/** How many ratings of 0, 1, … 5 stars. */
export type Counts = readonly [number, number, number, number, number, number];

export function countsFrom(countOf: (score: 0 | 1 | 2 | 3 | 4 | 5) => number): Counts {
  return [countOf(0), countOf(1), countOf(2), countOf(3), countOf(4), countOf(5)];
}
