/** Paths of charts, with no more points and digits than pixels can show. */

interface Point {
  x: number;
  y: number;
}

/** The greatest distance of a line from the points that it leaves out. */
const tolerance = 0.4;

/** A line through points that are in order of `x`; a dot through one. */
export function linePath(points: readonly Point[]): string {
  const [first, ...rest] = simplified(points).map(({ x, y }) => ({ x: Math.round(x), y: half(y) }));
  if (!first) return "";
  let last = first;
  let path = `M${numbers(first.x, first.y)}`;
  let hasLine = false;
  for (const point of rest) {
    const text = numbers(point.x - last.x, point.y - last.y);
    path += hasLine && text.startsWith("-") ? text : `${hasLine ? " " : "l"}${text}`;
    hasLine = true;
    last = point;
  }
  return hasLine ? path : `${path}h0`;
}

interface Bar {
  left: number;
  width: number;
  foot: number;
  top: number;
}

/**
 * Bars to be filled, from left to right, in whole pixels.
 * A bar without height is left out, and a low one is a pixel high.
 */
export function barsPath(bars: readonly Bar[]): string {
  let path = "";
  let [x, y] = [Number.NaN, Number.NaN];
  for (const bar of bars) {
    const [left, right] = [Math.round(bar.left), Math.round(bar.left + bar.width)];
    if (half(bar.foot - bar.top) <= 0) continue;
    const foot = Math.round(bar.foot);
    const height = Math.max(1, foot - Math.round(bar.top));
    // Between bars on one base the path runs along it, which fills nothing.
    path += foot === y ? `h${left - x}` : `M${numbers(left, foot)}`;
    path += `v${number(-height)}h${right - left}v${number(height)}`;
    [x, y] = [right, foot];
  }
  return path;
}

/** The points without those that a straight line passes (Ramer, Douglas, Peucker). */
function simplified(points: readonly Point[]): Point[] {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < 3) return [...points];
  let [farthest, distance] = [0, 0];
  for (const [index, { x, y }] of points.entries()) {
    const across = last.x === first.x ? 1 : (x - first.x) / (last.x - first.x);
    const away =
      last.x === first.x
        ? Math.min(Math.abs(y - first.y), Math.abs(y - last.y))
        : Math.abs(y - (first.y + across * (last.y - first.y)));
    if (away > distance) [farthest, distance] = [index, away];
  }
  if (distance <= tolerance) return [first, last];
  return [...simplified(points.slice(0, farthest + 1)), ...simplified(points.slice(farthest)).slice(1)];
}

function numbers(one: number, other: number): string {
  const text = number(other);
  return `${number(one)}${text.startsWith("-") ? "" : " "}${text}`;
}

/** Without the zero before a point, which paths can do without. */
function number(value: number): string {
  return String(value).replace(/^(-?)0\./, "$1.");
}

export function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}

function half(value: number): number {
  return Math.round(value * 2) / 2;
}
