/** A chart's paths: one with the marks of accepted requests, one of refused. */
import { scaleLinear } from "d3-scale";
import { countsOf, shownOf, type View } from "@/lib/lab/intervals";
import type { DecidedRequest } from "@/lib/lab/simulate";

/** The width of a chart in its own units, at any size in pixels. */
export const chartWidth = 1_000;
const barsHeight = 56;
const rowHeight = 16;

export type Scale = (at: number) => number;

/**
 * A mark for each request.
 * Accepted ones stand on the axis, refused ones hang above them.
 */
export function markPaths(decided: readonly DecidedRequest[], view: View, time: Scale) {
  const shown = shownOf(decided, view);
  const path = (allowed: boolean, from: number, to: number) =>
    shown
      .filter(({ decision }) => decision.allowed === allowed)
      .map(({ at }) => `M${tenth(time(at))} ${from}V${to}`)
      .join("");
  return {
    most: null,
    height: 2 * rowHeight,
    accepted: path(true, rowHeight + 2, 2 * rowHeight),
    refused: path(false, 0, rowHeight - 2),
  };
}

/** A bar for each interval, refused requests on top of accepted ones. */
export function barPaths(decided: readonly DecidedRequest[], view: View, time: Scale) {
  const counts = countsOf(decided, view);
  const most = Math.max(1, ...counts.map(({ accepted, refused }) => accepted + refused));
  const high = scaleLinear().domain([0, most]).range([0, barsHeight]);
  const wide = tenth(time(view.begin + view.lengthMs) * 0.8);
  const bar = (from: number, foot: number, top: number) =>
    top > foot
      ? `M${tenth(time(from + view.lengthMs * 0.1))} ${tenth(barsHeight - foot)}V${tenth(barsHeight - top)}h${wide}V${tenth(barsHeight - foot)}z`
      : "";
  return {
    most,
    height: barsHeight,
    accepted: counts.map(({ from, accepted }) => bar(from, 0, high(accepted))).join(""),
    refused: counts
      .map(({ from, accepted, refused }) =>
        bar(from, high(accepted) + (accepted && 1), high(accepted + refused)),
      )
      .join(""),
  };
}

export function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
