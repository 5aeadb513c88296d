/**
 * One table of all figures that have a target.
 * Its columns are the scenario, the target, before, after, and a plain mean.
 */
import type { Summary } from "./compare.ts";
import type { OtherAttack } from "./other-attacks.ts";
import type { Scenario } from "./scenario.ts";
import { columnsOf } from "./table.ts";

export interface SummaryRow {
  scenario: Scenario;
  /** Our own figures on the middle post. */
  own: Summary;
  mean: Summary;
}

/** `before` has earlier figures, if any, by scenario name and column title. */
export function summaryTable(
  rows: readonly SummaryRow[],
  before: Readonly<Record<string, Readonly<Record<string, number>>>>,
  attacks: readonly OtherAttack[],
): string {
  const cells = rows.flatMap(({ scenario, own, mean }) =>
    columnsOf(scenario)
      .filter(({ allowed, title }) => allowed !== undefined && title !== "refused")
      .map(({ title, allowed, found, text }) => {
        const shown = (figure: number | null | undefined) => (figure == null ? "–" : text(figure));
        const after = found(own);
        const isMet = after !== null && after <= (allowed ?? 0);
        return [
          scenario.name,
          title,
          shown(allowed),
          shown(before[scenario.name]?.[title]),
          shown(after),
          shown(found(mean)),
          isMet ? "" : "MISSED",
        ];
      }),
  );
  const others = attacks.map(({ name, figure, allowed, before, after, text }) => [
    name,
    figure,
    text(allowed),
    text(before),
    text(after),
    "–",
    after <= allowed ? "" : "MISSED",
  ]);
  const lines = [["scenario", "figure", "at most", "before", "after", "plain mean", ""], ...cells, ...others];
  const widths =
    lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  return lines
    .map((line) =>
      line
        .map((cell, column) =>
          column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join("  ")
        .trimEnd(),
    )
    .map((line) => `  ${line}`)
    .join("\n");
}
