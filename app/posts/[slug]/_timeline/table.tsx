import { scoreFills } from "@/app/_components/score";
import { Day } from "@/app/_components/time";
import { formatNumber } from "@/lib/limiter/text";
import { countOf, longMonth, type PartProps, shortMonth } from "./parts";
import { dayMs, type TimelineSpan, type TimelineSpans } from "./spans";

/** The numbers: a row per span with ratings or a flood window. */
export function SpanTable({ timeline, windows }: PartProps) {
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
              Flood
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
                {formatNumber(span.counts[score] ?? 0)}
              </td>
            ))}
            <td className="number">{formatNumber(countOf(span))}</td>
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

const shortMonthAndYear = new Intl.DateTimeFormat("en-GB", {
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

function SpanName({ span: { from, to }, unit }: { span: TimelineSpan; unit: TimelineSpans["unit"] }) {
  if (unit === "day" || unit === "week") return <Day at={from * dayMs} />;
  if (unit === "year") return new Date(from * dayMs).getUTCFullYear();
  if (unit === "month") return longMonth.format(from * dayMs);
  return `${shortMonth.format(from * dayMs)} to ${shortMonthAndYear.format((to - 1) * dayMs)}`;
}

function isIn(window: { from: number; to: number }, { from, to }: TimelineSpan): boolean {
  return window.from < to * dayMs && window.to > from * dayMs;
}
