/** The heights of a chart's lines and of the texts at their ends. */

const starsMaximum = 5;

/** How far below the top of the plot so many stars are, in pixels. */
export function yOf(stars: number, plotHeight: number): number {
  return ((starsMaximum - stars) / starsMaximum) * plotHeight;
}

const textHeight = 18;

/**
 * Moves texts apart so that none covers another; `y` is in pixels.
 * Lines that lie together stay in their order, around their middle.
 */
export function placeEndTexts<Text extends { y: number }>(texts: readonly Text[]): Text[] {
  const groups: Text[][] = [];
  for (const text of texts.toSorted((one, other) => one.y - other.y)) {
    let group = [text];
    for (let above = groups.at(-1); above && overlap(above, group); above = groups.at(-1))
      group = [...(groups.pop() ?? []), ...group];
    groups.push(group);
  }
  return groups.flatMap((group) =>
    group.map((text, index) => ({ ...text, y: topOf(group) + index * textHeight })),
  );
}

function topOf(group: readonly { y: number }[]): number {
  const middle = group.reduce((sum, { y }) => sum + y, 0) / group.length;
  return middle - ((group.length - 1) / 2) * textHeight;
}

function overlap(above: readonly { y: number }[], below: readonly { y: number }[]): boolean {
  return topOf(above) + above.length * textHeight > topOf(below);
}
