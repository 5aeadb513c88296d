/** The chart's width in SVG units. */
export const chartWidth = 1_000;

/** An SVG in a `chart` that scales its content horizontally to the chart's width. */
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
    >
      {children}
    </svg>
  );
}
