/** The side of a text that stands at its position. */
export type Side = "left" | "middle" | "right";

const anchors: Record<Side, string> = {
  left: "[text-anchor:start] rtl:[text-anchor:end]",
  middle: "[text-anchor:middle]",
  right: "[text-anchor:end] rtl:[text-anchor:start]",
};

interface ChartTextProps extends Omit<React.SVGProps<SVGTextElement>, "textAnchor"> {
  side?: Side;
  children: string;
}

/** A text in its own direction, in a chart whose time runs to the right. */
export function ChartText({ side = "middle", className = "", children, ...place }: ChartTextProps) {
  return (
    <text {...place} className={`text-xs rtl:[direction:rtl] ${anchors[side]} ${className}`}>
      {children}
    </text>
  );
}
