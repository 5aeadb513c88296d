import { scaleLinear, scaleUtc } from "d3-scale";
import { ratingsText, scoreFills } from "@/app/_components/score";
import { formatNumber } from "@/lib/limiter/text";
import { Bands, FlagText, labelRow } from "./bands";
import { placeFlags, textAt } from "./labels";
import { countOf, longMonth, type PartProps, type TimelineWindow, tenth, windowText } from "./parts";
import { chartWidth, ScaledSvg } from "./scaled-svg";
import { dayMs, type TimelineSpan, type TimelineSpans } from "./spans";
import { ticksOf } from "./ticks";

const space = { mark: 12, most: 20, bars: 132, axis: 24 };
/** Minimum bar height, so that a few ratings are visible beside a flood. */
const leastHeight = 2;

/**
 * A bar per span, and behind them a band per flood window with a label above.
 * Horizontal positions are percentages, so that text keeps its size on a phone.
 */
export function Chart({ timeline, windows }: PartProps) {
  const time = scaleUtc()
    .domain([timeline.begin * dayMs, timeline.end * dayMs])
    .range([0, 100]);
  // Counted windows are labelled only if there are no others.
  const uncounted = windows.filter(({ status }) => status !== "counted");
  const flags = placeFlags(
    (uncounted.length > 0 ? uncounted : windows).map((window) => ({
      from: time(window.from),
      to: time(window.to),
      texts: [windowText(window), `Flood ${window.number} ${window.status}`, String(window.number)],
      isHeld: window.status === "held",
    })),
  );
  const markTop = flags.reduce((most, { row }) => Math.max(most, row + 1), 0) * labelRow;
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

/** One path per score through all bars; they overlap a little to hide gaps. */
function Bars({
  timeline,
  time,
  top,
}: {
  timeline: TimelineSpans;
  time: (at: number) => number;
  top: number;
}) {
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
          {formatNumber(countOf(most))}
        </TextOver>
      )}
      <ScaledSvg top={top} height={space.bars}>
        {scoreFills
          .map((fill, score) => paths[score] && <path key={fill} d={paths[score]} className={fill} />)
          .reverse()}
      </ScaledSvg>
    </>
  );
}

interface TextOverProps {
  /** The labelled part of the chart, in percent. */
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

/** A text alternative of the chart. */
function sentence(timeline: TimelineSpans, windows: readonly TimelineWindow[]): string {
  const { unit, spans, begin } = timeline;
  const all = spans.reduce((sum, span) => sum + countOf(span), 0);
  const most = formatNumber(countOf(mostOf(timeline)));
  const held = windows.filter(({ status }) => status === "held").length;
  const floods =
    windows.length > 3 ? [`${windows.length} floods, ${held} of them held`] : windows.map(windowText);
  const ratings = `${ratingsText(all)} since ${longMonth.format(begin * dayMs)}, by stars, at most ${most} per ${unit}`;
  return [ratings, ...floods].join(". ");
}

function mostOf({ spans }: TimelineSpans): TimelineSpan {
  return spans.reduce((most, span) => (countOf(span) > countOf(most) ? span : most));
}
