import { dateTicks } from "@/app/_components/date-ticks";
import { durationText } from "@/app/_components/duration-text";
import { ratingsText, scoreText } from "@/app/_components/score";
import { type ChartBar, type ChartFlood, ScoreChart } from "@/app/_components/score-chart";
import { formatter, translator } from "@/lib/i18n";
import type { Floods, ShownWindow } from "@/lib/ratings/decisions/flood-window-decisions";
import type { FloodWindow } from "@/lib/ratings/floods/flood-window";
import { scoreFrom } from "@/lib/ratings/score/score";
import { type HistoryPoint, scoreHistory } from "@/lib/ratings/score/score-history";
import { settledScoreAt } from "@/lib/ratings/score/settled-score";
import { scoring } from "@/lib/ratings/tally/scoring-settings";
import { dayMs } from "@/lib/time/units";
import { spanText } from "./span-text";
import { type TimelineSpans, timelineOf } from "./spans";

/** Points of a line between the ends of the spans. */
const pointsMinimum = 100;
/** More floods than this are only counted in the chart's sentence. */
const floodsInSentence = 3;

/** A post's average and score over time, its ratings beneath, its floods marked. */
export function Timeline({ floods, now }: { floods: Floods; now: number }) {
  const t = translator("scores");
  const windows = withRatings(floods.windows).toSorted((one, other) => one.openedAt - other.openedAt);
  const times = [now, ...windows.flatMap(({ openedAt, lastAt }) => [openedAt, lastAt])];
  const timeline = timelineOf(floods.days, times);
  const from = timeline.spans[0].from * dayMs;
  const points = pointsOf(floods, timeline, now);
  const { everything, counts, settled } = floods;
  const last = points.at(-1);
  const score = settledScoreAt(settled, now, counts, scoring.settling);
  const isFlooded = windows.some(({ status }) => status !== "counted");
  return (
    <ScoreChart
      title={t("timeline.heading")}
      sentence={[
        t("timeline.sentence", {
          count: scoreFrom(everything).count,
          since: formatter().dateTime(new Date(from), { month: "long", year: "numeric" }),
          average: scoreText(last?.average ?? null, 1),
          score: scoreText(score, 1),
        }),
        ...floodSentences(windows),
      ].join(" ")}
      from={from}
      to={now}
      lines={[
        { look: "average", name: t("chart.average"), points: lineOf(points, "average") },
        {
          look: "score",
          name: t("chart.score"),
          // The score itself is the end of its history.
          points: [...lineOf(points, "score").slice(0, -1), { at: now, stars: score }],
        },
      ]}
      bars={timeline.spans.map((span): ChartBar => {
        const inSpan = { from: span.from * dayMs, to: Math.min(span.to * dayMs, now) };
        const count = scoreFrom(span.counts).count;
        return {
          ...inSpan,
          name: spanText(span, timeline.unit),
          count,
          flooded: Math.min(count, Math.round(floodedIn(windows, inSpan))),
        };
      })}
      barsName={t(`timeline.per.${timeline.unit}`)}
      floods={windows.map(
        (window): ChartFlood => ({
          from: window.openedAt,
          to: window.lastAt,
          status: window.status,
          texts: textsOf(window),
        }),
      )}
      ticks={dateTicks(from, now)}
    >
      {isFlooded && last && (
        <>
          {t("timeline.caption", {
            average: scoreText(last.average, 1),
            score: scoreText(score, 1),
          })}{" "}
          <a href="/how-scores-work">{t("howScoresWork")}</a>
        </>
      )}
    </ScoreChart>
  );
}

function withRatings(windows: readonly ShownWindow[]): ShownWindow[] {
  return windows.filter(({ arrived }) => arrived > 0);
}

/** The history at the ends of the spans, at the floods, and evenly between. */
function pointsOf({ days, windows, settled }: Floods, { spans }: TimelineSpans, now: number): HistoryPoint[] {
  const from = spans[0].from * dayMs;
  const even = Array.from(
    { length: pointsMinimum },
    (_, index) => from + ((now - from) * (index + 1)) / pointsMinimum,
  );
  const times = [
    ...even,
    ...spans.map(({ to }) => to * dayMs),
    ...windows.flatMap(({ openedAt, lastAt }) => [openedAt, lastAt + 1]),
    now,
  ].filter((at) => at <= now);
  const past = { days, windows, firstAt: settled.firstAt, now };
  return scoreHistory(
    past,
    [...new Set(times)].toSorted((one, other) => one - other),
    scoring.settling,
  );
}

function lineOf(points: readonly HistoryPoint[], name: "average" | "score") {
  return points.map((point) => ({ at: point.at, stars: point[name] }));
}

/** About how many of the windows' ratings came in a span. */
function floodedIn(windows: readonly FloodWindow[], { from, to }: { from: number; to: number }): number {
  return windows.reduce((sum, { openedAt, lastAt, counts }) => {
    const end = lastAt + 1;
    const shared = Math.max(0, Math.min(to, end) - Math.max(from, openedAt));
    return sum + (scoreFrom(counts).count * shared) / (end - openedAt);
  }, 0);
}

function textsOf({ arrived: count, openedAt, lastAt, status }: ShownWindow): string[] {
  const t = translator("scores");
  const within = t("timeline.flood", {
    ratings: ratingsText(count),
    duration: durationText(lastAt - openedAt),
  });
  return [
    t(`timeline.floodThat.${status}`, { flood: within }),
    within,
    ratingsText(count),
    formatter().number(count),
  ];
}

function floodSentences(windows: readonly ShownWindow[]): string[] {
  if (windows.length <= floodsInSentence) return windows.map((window) => `${textsOf(window)[0]}.`);
  const held = windows.filter(({ status }) => status === "held").length;
  return [translator("scores")("timeline.manyFloods", { count: windows.length, held })];
}
