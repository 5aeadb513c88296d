import { durationText } from "@/app/_components/duration-text";
import { scoreText } from "@/app/_components/score";
import { type ChartBar, ScoreChart } from "@/app/_components/score-chart";
import { translator } from "@/lib/i18n";
import { exampleDayMs, type FloodExample, floodExample } from "@/lib/ratings/tally/flood-example";
import { scoring } from "@/lib/ratings/tally/scoring-settings";

let computed: FloodExample | undefined;

/** Computed once: the settings do not change while the server runs. */
function siteExample(): FloodExample {
  computed ??= floodExample(scoring);
  return computed;
}

/** The score through an example flood, with this site's response to it. */
export function FloodChart() {
  const t = translator("scores");
  const example = siteExample();
  const { endsAt, points, days, flood, before, after, held } = example;
  const within = t("timeline.flood", {
    ratings: translator("figures")("ratings", { count: flood.count }),
    duration: durationText(flood.to - flood.from),
  });
  const texts = {
    flood: within,
    zeros: flood.zeros,
    average: scoreText(after.average, 1),
    before: scoreText(before, 1),
    score: scoreText(after.score, 1),
  };
  return (
    <ScoreChart
      title={t("page.chartTitle")}
      sentence={t("page.chartSentence", texts)}
      from={0}
      to={endsAt}
      lines={[
        {
          look: "average",
          name: t("chart.average"),
          points: points.map(({ at, average }) => ({ at, stars: average })),
        },
        {
          look: "score",
          name: t("chart.score"),
          points: points.map(({ at, score }) => ({ at, stars: score })),
        },
      ]}
      bars={days.map(
        ({ from, count, flooded }): ChartBar => ({
          from,
          to: from + exampleDayMs,
          name: dayText(from),
          count,
          flooded,
        }),
      )}
      barsName={t("timeline.per.day")}
      floods={[{ ...flood, status: held > 0 ? "held" : "counted", texts: [within] }]}
      ticks={[0, 9, 19, 29].map((day) => ({
        at: (day + 0.5) * exampleDayMs,
        text: dayText(day * exampleDayMs),
      }))}
    >
      {t("page.chartCaption", texts)}
    </ScoreChart>
  );
}

function dayText(from: number): string {
  return translator("scores")("page.day", { day: from / exampleDayMs + 1 });
}
