import type { WindowStatus } from "@/lib/ratings/floods/flood-window";
import { ChartText } from "../chart-text";
import { ScaledSvg } from "../scaled-svg";
import type { PlacedFlag } from "./labels";

/** Height of a row of labels. */
export const labelRow = 18;

const statuses = ["counted", "excluded", "held"] as const;

interface FloodBandsProps {
  floods: readonly { from: number; to: number; status: WindowStatus }[];
  /** The position of a time, from 0 to 1,000. */
  across: (at: number) => number;
  top: number;
  height: number;
}

/** Strokes that do not scale, so that a flood of minutes is visible on ten years. */
export function FloodBands({ floods, across, top, height }: FloodBandsProps) {
  return (
    <ScaledSvg top={top} height={height}>
      {statuses
        .filter((status) => floods.some((flood) => flood.status === status))
        .map((status) => (
          <path
            key={status}
            d={floods
              .filter((flood) => flood.status === status)
              .map(({ from, to }) => `M${across(from)} ${height}V0H${across(to)}V${height}`)
              .join("")}
            className={`flood-band ${status}`}
          />
        ))}
    </ScaledSvg>
  );
}

/** A flood's label, in a row above the chart. */
export function FlagText({
  flag: { at, side, row, text, isHeld },
  base,
}: {
  flag: PlacedFlag;
  base: number;
}) {
  const y = base - row * labelRow;
  const x = `${at}%`;
  return (
    <>
      <line
        x1={x}
        x2={x}
        y1={y - labelRow + 4}
        y2={base}
        className={isHeld ? "stroke-amber" : "stroke-quiet"}
      />
      <ChartText
        x={x}
        dx={side === "left" ? 5 : -5}
        y={y - 5}
        side={side}
        className={isHeld ? "fill-amber font-medium" : ""}
      >
        {text}
      </ChartText>
    </>
  );
}
