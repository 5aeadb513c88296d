/**
 * The items' texts, up to a length together.
 * Later ones are undefined, and not made.
 */
export async function withinLength<Item>(
  maximum: number,
  items: readonly Item[],
  textOf: (item: Item) => Promise<string | undefined>,
): Promise<(string | undefined)[]> {
  const texts: (string | undefined)[] = [];
  let left = maximum;
  for (const item of items) {
    const text = left > 0 ? await textOf(item) : undefined;
    left -= text?.length ?? 0;
    texts.push(left >= 0 ? text : undefined);
  }
  return texts;
}
