import { scoreFills } from "@/app/_components/score";
import { ScrollArea } from "@/app/_components/scroll-area";
import type { Counts } from "@/lib/ratings/score/score";
import { Chart } from "./chart";
import type { TimelineWindow } from "./parts";
import { timelineOf } from "./spans";
import { SpanTable } from "./table";

interface TimelineProps {
  /** Days with ratings, in order; `day` is the number of the UTC day since 1970. */
  days: readonly { day: number; counts: Counts }[];
  windows: readonly TimelineWindow[];
  now: number;
}

/** A post's ratings over time by stars, with its flood windows; server-rendered. */
export function Timeline({ days, windows, now }: TimelineProps) {
  if (days.length === 0 && windows.length === 0)
    return <p className="text-quiet">This post has no ratings yet.</p>;
  const closed = windows
    .map((window) => ({ ...window, to: Math.max(window.from + 1, window.to ?? now) }))
    .sort((one, other) => one.from - other.from);
  const timeline = timelineOf(days, [now, ...closed.flatMap(({ from, to }) => [from, to - 1])]);
  return (
    <figure>
      <figcaption className="mb-4 flex flex-wrap items-baseline justify-between gap-x-4 text-sm text-quiet">
        Per {timeline.unit}
        <StarsKey />
      </figcaption>
      <Chart timeline={timeline} windows={closed} />
      <details className="mt-2 text-sm">
        <summary className="text-quiet">As a table</summary>
        <ScrollArea label={`Ratings per ${timeline.unit}, as a table`}>
          <SpanTable timeline={timeline} windows={closed} />
        </ScrollArea>
      </details>
    </figure>
  );
}

/** The legend of the colours. */
function StarsKey() {
  return (
    <span className="flex items-center gap-1.5 text-xs" dir="ltr" aria-hidden="true">
      0
      <svg viewBox="0 0 59 8" className="h-2 w-[59px]" aria-hidden="true">
        {scoreFills.map((fill, score) => (
          <rect key={fill} x={score * 10} width="9" height="8" className={fill} />
        ))}
      </svg>
      5 stars
    </span>
  );
}
