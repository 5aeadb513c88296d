/** A chart's paths: one with the marks of accepted requests, one of refused. */
import { scaleLinear } from "d3-scale";
import { barsPath, tenth } from "@/app/_components/chart-path";
import { countsOf, shownOf, type View } from "@/lib/lab/intervals";
import type { DecidedRequest } from "@/lib/lab/simulate";

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
  const width = time(view.begin + view.lengthMs) * 0.8;
  const at = (from: number) => ({ left: time(from + view.lengthMs * 0.1), width });
  const upTo = (count: number) => barsHeight - high(count);
  return {
    most,
    height: barsHeight,
    accepted: barsPath(
      counts.map(({ from, accepted }) => ({ ...at(from), foot: barsHeight, top: upTo(accepted) })),
    ),
    refused: barsPath(
      counts.map(({ from, accepted, refused }) => ({
        ...at(from),
        foot: upTo(accepted) - (accepted && 1),
        top: upTo(accepted + refused),
      })),
    ),
  };
}
