import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { scoreText } from "@/app/_components/score";
import { ScrollArea } from "@/app/_components/scroll-area";
import { changeExample, crowdExample, type ExamplePoint } from "@/lib/ratings/score/examples";
import { scoring } from "@/lib/ratings/tally/scoring-settings";

/**
 * Two pictures of a score beside its average.
 * One shows a crowd that comes once, the other readers who change their minds.
 */
export function Examples() {
  const { crowd, change } = examples();
  return (
    <>
      <p>
        Two examples, each with a post that 13,000 people have rated in 18 days. In the first one, a crowd
        gives 5,000 zeros within 20 minutes and is gone. In the second one, all new ratings are lower from one
        day on, and stay so.
      </p>
      <Example
        name="crowd"
        title="A crowd comes once: the average falls at once, the score stays"
        points={crowd}
        rows={[0, 1 / 24, 1, 7, 14]}
      />
      <Example
        name="change"
        title="Readers change their minds: the score follows, and arrives within a month"
        points={change}
        rows={[0, 1, 7, 14, 21, 30, 45]}
      />
    </>
  );
}

let computed: { crowd: ExamplePoint[]; change: ExamplePoint[] } | undefined;

/** Computed once: the settings do not change while the server runs. */
function examples() {
  computed ??= { crowd: crowdExample(scoring.settling), change: changeExample(scoring.settling) };
  return computed;
}

const chart = { width: 1_000, height: 180, top: 8, axis: 24 };

interface ExampleProps {
  name: string;
  title: string;
  points: readonly ExamplePoint[];
  /** The days in the table. */
  rows: readonly number[];
}

function Example({ name, title, points, rows }: ExampleProps) {
  const days = [points[0]?.day ?? 0, points.at(-1)?.day ?? 1];
  const across = scaleLinear().domain(days).range([0, chart.width]);
  const down = scaleLinear().domain([0, 5]).range([chart.height, 0]);
  const pathOf = (of: (point: ExamplePoint) => number) =>
    line<ExamplePoint>(
      (point) => across(point.day),
      (point) => down(of(point)),
    ).digits(1)(points) ?? "";
  return (
    <figure>
      <figcaption className="text-sm">{title}</figcaption>
      <Key />
      <svg
        width="100%"
        height={chart.top + chart.height + chart.axis}
        role="img"
        aria-labelledby={`${name}-title`}
        className="mt-1 overflow-visible [direction:ltr]"
      >
        <title id={`${name}-title`}>{title}</title>
        {[0, 1, 2, 3, 4, 5].map((stars) => (
          <line
            key={stars}
            x2="100%"
            y1={chart.top + down(stars)}
            y2={chart.top + down(stars)}
            className="stroke-hairline"
          />
        ))}
        <svg
          aria-hidden="true"
          y={chart.top}
          width="100%"
          height={chart.height}
          viewBox={`0 0 ${chart.width} ${chart.height}`}
          preserveAspectRatio="none"
          className="overflow-visible"
        >
          <path
            d={pathOf(({ average }) => average)}
            fill="none"
            strokeWidth="1.5"
            strokeDasharray="4 4"
            className="stroke-amber"
            vectorEffect="non-scaling-stroke"
          />
          <path
            d={pathOf(({ score }) => score)}
            fill="none"
            strokeWidth="2.5"
            strokeLinecap="round"
            strokeLinejoin="round"
            className="stroke-water"
            vectorEffect="non-scaling-stroke"
          />
        </svg>
        {[0, 5].map((stars) => (
          <text
            key={stars}
            x="0"
            y={chart.top + down(stars) + (stars === 0 ? -5 : 14)}
            className="fill-quiet text-xs"
          >
            {stars === 0 ? "0 stars" : "5 stars"}
          </text>
        ))}
        {across.ticks(5).map((day) => (
          <text
            key={day}
            x={`${across(day) / (chart.width / 100)}%`}
            y={chart.top + chart.height + 16}
            textAnchor={across(day) > 0.94 * chart.width ? "end" : "middle"}
            className="fill-quiet text-xs"
          >
            {day === 0 ? "day 0" : day}
          </text>
        ))}
      </svg>
      <details className="mt-1 text-sm">
        <summary className="text-quiet">As a table</summary>
        <ScrollArea label={`${title}, as a table`}>
          <ExampleTable points={points} rows={rows} />
        </ScrollArea>
      </details>
    </figure>
  );
}

/** The legend of the two lines. */
function Key() {
  return (
    <p className="flex flex-wrap gap-x-5 text-xs text-quiet" aria-hidden="true">
      <span className="flex items-center gap-1.5">
        <svg viewBox="0 0 24 4" className="h-1 w-6" aria-hidden="true">
          <line x2="24" y1="2" y2="2" strokeWidth="2.5" className="stroke-water" />
        </svg>
        Score
      </span>
      <span className="flex items-center gap-1.5">
        <svg viewBox="0 0 24 4" className="h-1 w-6" aria-hidden="true">
          <line x2="24" y1="2" y2="2" strokeWidth="1.5" strokeDasharray="4 4" className="stroke-amber" />
        </svg>
        Average
      </span>
    </p>
  );
}

function ExampleTable({ points, rows }: Pick<ExampleProps, "points" | "rows">) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Average</th>
          <th scope="col">Score</th>
        </tr>
      </thead>
      <tbody>
        {points
          .filter(({ day }) => rows.includes(day))
          .map(({ day, average, score }) => (
            <tr key={day}>
              <th scope="row">{timeText(day)}</th>
              <td className="tabular-nums">{scoreText(average)}</td>
              <td className="tabular-nums">{scoreText(score)}</td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}

function timeText(day: number): string {
  if (day === 0) return "Before";
  if (day < 1) return "After an hour";
  return day === 1 ? "After a day" : `After ${day} days`;
}
