/** All rows of a table, read a page at a time. */

/** Rows that are read at a time, unless set. */
export const pageSize = 100;

type ReadPage<Row> = (after: number, limit: number) => PromiseLike<Row[]>;

/** The pages with rows, in the order of the rows' numbers. */
export async function* pagesOf<Row extends { id: number }>(
  read: ReadPage<Row>,
  limit = pageSize,
): AsyncGenerator<Row[]> {
  for (let after = 0; ; ) {
    const page = await read(after, limit);
    if (page.length > 0) yield page;
    after = page.at(-1)?.id ?? after;
    if (page.length < limit) return;
  }
}

export async function* rowsOf<Row extends { id: number }>(
  read: ReadPage<Row>,
  limit = pageSize,
): AsyncGenerator<Row> {
  for await (const page of pagesOf(read, limit)) yield* page;
}
