import type { PlacedFlag } from "./labels";
import { type PartProps, tenth } from "./parts";
import { ScaledSvg } from "./scaled-svg";

/** Height of a row of labels. */
export const labelRow = 18;

/** Held is amber, excluded hollow, counted faint. A mark's strokes overlap. */
const windowLooks = {
  counted: {
    band: { className: "fill-quiet stroke-quiet opacity-12", strokeWidth: 3 },
    marks: [{ className: "stroke-quiet", strokeWidth: 3 }],
  },
  excluded: {
    band: { className: "fill-transparent stroke-quiet opacity-60", strokeWidth: 1, strokeDasharray: "2 3" },
    marks: [
      { className: "stroke-quiet", strokeWidth: 7 },
      { className: "stroke-paper", strokeWidth: 4 },
    ],
  },
  held: {
    band: { className: "fill-amber stroke-amber opacity-20", strokeWidth: 3 },
    marks: [{ className: "stroke-amber", strokeWidth: 7 }],
  },
};
const statuses = ["counted", "excluded", "held"] as const;
const markMiddle = 6;

interface BandsProps extends Pick<PartProps, "windows"> {
  time: (at: number) => number;
  top: number;
  height: number;
}

/** Non-scaling strokes, so that a flood of minutes is visible on ten years. */
export function Bands({ windows, time, top, height }: BandsProps) {
  return (
    <ScaledSvg top={top} height={height}>
      {statuses.map((status) => {
        const parts = windows
          .filter((window) => window.status === status)
          .map(({ from, to }) => ({ left: tenth(time(from) * 10), right: tenth(time(to) * 10) }));
        const marked = parts.map(({ left, right }) => `M${left} ${markMiddle}H${right}`).join("");
        const { band, marks } = windowLooks[status];
        return (
          <g key={status}>
            <path
              d={parts
                .map(({ left, right }) => `M${left} ${height}V${markMiddle}H${right}V${height}`)
                .join("")}
              vectorEffect="non-scaling-stroke"
              {...band}
            />
            {marks.map((mark) => (
              <path
                key={mark.className}
                d={marked}
                strokeLinecap="round"
                vectorEffect="non-scaling-stroke"
                {...mark}
              />
            ))}
          </g>
        );
      })}
    </ScaledSvg>
  );
}

export function FlagText({
  flag: { at, anchor, row, text, isHeld },
  base,
}: {
  flag: PlacedFlag;
  base: number;
}) {
  const y = base - row * labelRow;
  const x = `${tenth(at)}%`;
  return (
    <>
      {row > 0 && (
        <line x1={x} x2={x} y1={y - labelRow + 6} y2={base + markMiddle} className="stroke-hairline" />
      )}
      <text
        x={x}
        dx={(row > 0 ? 5 : -3) * (anchor === "start" ? 1 : -1)}
        y={y - 5}
        textAnchor={anchor}
        className={isHeld ? "fill-amber font-medium" : "fill-quiet"}
      >
        {text}
      </text>
    </>
  );
}
