/** Across, bars and bands are so many units wide, whatever they are in pixels. */
export const chartWidth = 1_000;

/** What is drawn in it is stretched to the chart's width, and not in height. */
export function ScaledSvg({
  top,
  height,
  children,
}: {
  top: number;
  height: number;
  children: React.ReactNode;
}) {
  return (
    <svg
      aria-hidden="true"
      y={top}
      width="100%"
      height={height}
      viewBox={`0 0 ${chartWidth} ${height}`}
      preserveAspectRatio="none"
      className="overflow-visible"
    >
      {children}
    </svg>
  );
}
