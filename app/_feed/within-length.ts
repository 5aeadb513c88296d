import { escapeMarkup } from "@/lib/text/escape-markup";

/**
 * The items' texts, up to a length together as escaped.
 * Later ones are undefined, and not made.
 */
export async function withinLength<Item, Made extends { text: string }>(
  maximum: number,
  items: readonly Item[],
  make: (item: Item) => Promise<Made | undefined>,
): Promise<(Made | undefined)[]> {
  const all: (Made | undefined)[] = [];
  let left = maximum;
  for (const item of items) {
    const made = left > 0 ? await make(item) : undefined;
    left -= made ? escapeMarkup(made.text).length : 0;
    all.push(left >= 0 ? made : undefined);
  }
  return all;
}
