/** How many ratings of 0, 1, … 5 stars. */
export type Counts = readonly [number, number, number, number, number, number];

export function countsFrom(countOf: (score: 0 | 1 | 2 | 3 | 4 | 5) => number): Counts {
  return [countOf(0), countOf(1), countOf(2), countOf(3), countOf(4), countOf(5)];
}

export type CountColumns = Record<"count0" | "count1" | "count2" | "count3" | "count4" | "count5", number>;

/** The columns of a table's six counters. */
export function counterColumnsOf<Table extends Record<keyof CountColumns, unknown>>(
  table: Table,
): Pick<Table, keyof CountColumns> {
  const { count0, count1, count2, count3, count4, count5 } = table;
  return { count0, count1, count2, count3, count4, count5 };
}

/** The six counters of a row, apart from the rest of it. */
export function takeCounts<Row extends CountColumns>(
  row: Row,
): { counts: Counts; rest: Omit<Row, keyof CountColumns> } {
  const { count0, count1, count2, count3, count4, count5, ...rest } = row;
  return { counts: [count0, count1, count2, count3, count4, count5], rest };
}

/** Counters as the columns of a row. */
export function countColumns([count0, count1, count2, count3, count4, count5]: Counts): CountColumns {
  return { count0, count1, count2, count3, count4, count5 };
}
