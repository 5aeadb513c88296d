import { scaleLinear, scaleUtc } from "d3-scale";
import { many } from "@/app/_components/figures";
import { ratingsText, scoreFills } from "@/app/_components/score";
import { Scrolled } from "@/app/_components/scrolled";
import { Day } from "@/app/_components/time";
import { type Counts, scoreFrom } from "@/lib/ratings/score";
import {
  dayMs,
  type PlacedFlag,
  placeFlags,
  type Span,
  type TimelineSpans,
  textAt,
  ticksOf,
  timelineOf,
} from "./timeline-layout";

const space = { row: 18, mark: 12, most: 20, bars: 132, axis: 24 };
/** Across, bars and bands are so many units wide, whatever they are in pixels. */
const chartWidth = 1_000;
/** No bar is lower, so that a few ratings can be seen beside a flood. */
const leastHeight = 2;

interface FloodWindow {
  number: number;
  /** In milliseconds; `to` is null while it is open. */
  from: number;
  to: number | null;
  status: "held" | "counted" | "excluded";
  /** How many ratings came in it. */
  count: number;
}

interface TimelineProps {
  /** Days that had ratings, in order; `day` is the number of the UTC day since 1970. */
  days: readonly { day: number; counts: Counts }[];
  windows: readonly FloodWindow[];
  now: number;
}

interface PartProps {
  timeline: TimelineSpans;
  /** In order, each with its end. */
  windows: readonly (FloodWindow & { to: number })[];
}

/** A post's ratings over time, by stars, and the floods among them. Drawn on the server. */
export function Timeline({ days, windows, now }: TimelineProps) {
  if (days.length === 0 && windows.length === 0)
    return <p className="text-quiet">Nobody has rated this post yet.</p>;
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
        <Scrolled label={`Ratings per ${timeline.unit}, as a table`}>
          <SpanTable timeline={timeline} windows={closed} />
        </Scrolled>
      </details>
    </figure>
  );
}

/** Which colour is which. */
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

type Across = (at: number) => number;

/**
 * A bar for each span; behind them a band for each flood, from a mark above, where its label stands. Positions across
 * are shares of the width, so that the text stays its size on a phone.
 */
function Chart({ timeline, windows }: PartProps) {
  const time = scaleUtc()
    .domain([timeline.begin * dayMs, timeline.end * dayMs])
    .range([0, 100]);
  const flags = placeFlags(
    windows.map((window) => ({
      from: time(window.from),
      to: time(window.to),
      texts: [windowText(window), `Window ${window.number} ${window.status}`, String(window.number)],
      isHeld: window.status === "held",
    })),
  );
  const markTop = flags.reduce((most, { row }) => Math.max(most, row + 1), 0) * space.row;
  const barsTop = markTop + (windows.length > 0 ? space.mark : 0) + space.most;
  const base = barsTop + space.bars;
  return (
    <svg
      width="100%"
      height={base + space.axis}
      role="img"
      aria-label={sentence(timeline, windows)}
      className="overflow-visible text-xs [direction:ltr]"
    >
      {flags.map((flag) => (
        <FlagText key={`${flag.at} ${flag.text}`} flag={flag} base={markTop} />
      ))}
      <Bands windows={windows} time={time} top={markTop} height={base - markTop} />
      <Bars timeline={timeline} time={time} top={barsTop} />
      <line x1="0" x2="100%" y1={base + 0.5} y2={base + 0.5} className="stroke-hairline" />
      {ticksOf(timeline).map(({ from, to, text }) => (
        <TextOver key={from} from={time(from)} to={time(to)} y={base + space.axis - 6} className="fill-quiet">
          {text}
        </TextOver>
      ))}
    </svg>
  );
}

/** A path for each score, its part of all bars. It reaches a little under the one beneath: no gap shines through. */
function Bars({ timeline, time, top }: { timeline: TimelineSpans; time: Across; top: number }) {
  const most = mostOf(timeline);
  const high = scaleLinear()
    .domain([0, Math.max(1, countOf(most))])
    .range([0, space.bars]);
  const paths = scoreFills.map(() => "");
  for (const { from, to, counts } of timeline.spans) {
    const left = time(from * dayMs) * (chartWidth / 100);
    const slot = time(to * dayMs) * (chartWidth / 100) - left;
    const sum = countOf({ counts });
    const perRating = Math.max(leastHeight, high(sum)) / sum;
    let foot = space.bars;
    for (const [score, count] of counts.entries()) {
      if (count === 0) continue;
      const head = foot - count * perRating;
      const under = tenth(Math.min(space.bars, foot + 1));
      paths[score] += `M${tenth(left + slot * 0.1)} ${under}V${tenth(head)}h${tenth(slot * 0.8)}V${under}z`;
      foot = head;
    }
  }
  return (
    <>
      {countOf(most) > 0 && (
        <TextOver
          from={time(most.from * dayMs)}
          to={time(most.to * dayMs)}
          y={top - 6}
          className="fill-ink stroke-paper stroke-[5px] [paint-order:stroke]"
        >
          {many(countOf(most))}
        </TextOver>
      )}
      <Stretched top={top} height={space.bars}>
        {scoreFills
          .map((fill, score) => paths[score] && <path key={fill} d={paths[score]} className={fill} />)
          .reverse()}
      </Stretched>
    </>
  );
}

interface TextOverProps {
  /** The part of the chart that it is about, in percent. */
  from: number;
  to: number;
  y: number;
  className: string;
  children: string;
}

function TextOver({ from, to, y, className, children }: TextOverProps) {
  const { x, anchor } = textAt(from, to, children);
  return (
    <text x={`${tenth(x)}%`} y={y} textAnchor={anchor} className={className}>
      {children}
    </text>
  );
}

/** Held is amber, excluded hollow, counted faint. A mark's strokes are drawn one over the other. */
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
  time: Across;
  top: number;
  height: number;
}

/** Strokes are as wide on every screen: so a flood of minutes can be seen on ten years. */
function Bands({ windows, time, top, height }: BandsProps) {
  return (
    <Stretched top={top} height={height}>
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
    </Stretched>
  );
}

function FlagText({ flag: { at, anchor, row, text, isHeld }, base }: { flag: PlacedFlag; base: number }) {
  const y = base - row * space.row;
  const x = `${tenth(at)}%`;
  return (
    <>
      {row > 0 && (
        <line x1={x} x2={x} y1={y - space.row + 6} y2={base + markMiddle} className="stroke-hairline" />
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

/** What is drawn in it is stretched to the chart's width, and not in height. */
function Stretched({ top, height, children }: { top: number; height: number; children: React.ReactNode }) {
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

/** The numbers: a row for each span that had ratings or lay in a flood. */
function SpanTable({ timeline, windows }: PartProps) {
  const rows = timeline.spans
    .map((span) => ({ ...span, windows: windows.filter((window) => isIn(window, span)) }))
    .filter((span) => countOf(span) > 0 || span.windows.length > 0);
  return (
    <table className="table mt-2 min-w-[30rem]">
      <thead>
        <tr>
          <th scope="col" rowSpan={2} className="align-bottom">
            {timeline.unit === "week" ? "Week from" : <span className="capitalize">{timeline.unit}</span>}
          </th>
          <th scope="colgroup" colSpan={6} className="text-center">
            Stars
          </th>
          <th scope="col" rowSpan={2} className="number align-bottom">
            All
          </th>
          {windows.length > 0 && (
            <th scope="col" rowSpan={2} className="ps-4 align-bottom">
              Window
            </th>
          )}
        </tr>
        <tr>
          {scoreFills.map((fill, score) => (
            <th key={fill} scope="col" className="number">
              {score}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((span) => (
          <tr key={span.from}>
            <th scope="row" className="whitespace-nowrap">
              <SpanName span={span} unit={timeline.unit} />
            </th>
            {scoreFills.map((fill, score) => (
              <td key={fill} className="number">
                {many(span.counts[score] ?? 0)}
              </td>
            ))}
            <td className="number">{many(countOf(span))}</td>
            {windows.length > 0 && (
              <td className="ps-4">
                {span.windows.map(({ number, status }) => `${number} ${status}`).join(", ")}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const month = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });
const shortMonth = new Intl.DateTimeFormat("en-GB", { month: "short", timeZone: "UTC" });
const shortMonthAndYear = new Intl.DateTimeFormat("en-GB", {
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

function SpanName({ span: { from, to }, unit }: { span: Span; unit: TimelineSpans["unit"] }) {
  if (unit === "day" || unit === "week") return <Day at={from * dayMs} />;
  if (unit === "year") return new Date(from * dayMs).getUTCFullYear();
  if (unit === "month") return month.format(from * dayMs);
  return `${shortMonth.format(from * dayMs)} to ${shortMonthAndYear.format((to - 1) * dayMs)}`;
}

function isIn(window: { from: number; to: number }, { from, to }: Span): boolean {
  return window.from < to * dayMs && window.to > from * dayMs;
}

function windowText({ number, count, status }: FloodWindow): string {
  return `Window ${number}: ${many(count)} ${status}`;
}

/** What the chart shows, for who does not see it. */
function sentence(timeline: TimelineSpans, windows: readonly FloodWindow[]): string {
  const { unit, spans, begin } = timeline;
  const all = spans.reduce((sum, span) => sum + countOf(span), 0);
  const most = many(countOf(mostOf(timeline)));
  const held = windows.filter(({ status }) => status === "held").length;
  const floods =
    windows.length > 3 ? [`${windows.length} windows, ${held} of them held`] : windows.map(windowText);
  const ratings = `${ratingsText(all)} since ${month.format(begin * dayMs)}, by stars, at most ${most} per ${unit}`;
  return [ratings, ...floods].join(". ");
}

function mostOf({ spans }: TimelineSpans): Span {
  return spans.reduce((most, span) => (countOf(span) > countOf(most) ? span : most));
}

function countOf({ counts }: { counts: Counts }): number {
  return scoreFrom(counts).count;
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
