/** The side of a text that stands at its position. */
export type Side = "left" | "middle" | "right";

interface ChartTextProps extends Omit<React.SVGProps<SVGTextElement>, "textAnchor"> {
  side?: Side;
  children: string;
}

/** A text in its own direction, in a `chart` whose time runs to the right. */
export function ChartText({ side = "middle", className = "", children, ...place }: ChartTextProps) {
  const classes = [...(side === "middle" ? [] : [side]), ...(className ? [className] : [])].join(" ");
  return (
    <text {...place} className={classes || undefined}>
      {children}
    </text>
  );
}
