/**
 * The result of a scenario as lines of text.
 * Our own figures come first, with their bounds below them, then the others'.
 */
import type { Summary } from "./compare.ts";
import type { Scenario } from "./scenario.ts";
import { day } from "./traffic.ts";

export interface Row {
  name: string;
  summary: Summary;
}

export interface Column {
  title: string;
  found(summary: Summary): number | null;
  text(figure: number): string;
  allowed: number | undefined;
}

/** No honest rating is refused in a scenario that has bounds. */
const refusedAllowed = 0;

const nameWidth = 22;

/** The titles of the columns in which our own figures exceed a bound. */
export function missedIn(scenario: Scenario, { summary }: Row): string[] {
  return columnsOf(scenario)
    .filter(({ found, allowed }) => allowed !== undefined && !((found(summary) ?? Number.NaN) <= allowed))
    .map(({ title }) => title);
}

/**
 * At most 100 characters wide.
 * `notes` are rows of our own that are not judged, `others` those of others.
 */
export function tableOf(
  scenario: Scenario,
  { ours, notes, others }: { ours: Row; notes: readonly Row[]; others: readonly Row[] },
): string {
  const columns = columnsOf(scenario);
  const line = (name: string, cellOf: (column: Column) => string) => {
    const cells = columns.map((column) => cellOf(column).padStart(Math.max(7, column.title.length + 1)));
    return `  ${name.padEnd(nameWidth)}${cells.join("")}`.trimEnd();
  };
  const figures = ({ name, summary }: Row) =>
    line(name, ({ found, text }) => {
      const figure = found(summary);
      return figure === null ? "–" : text(figure);
    });
  const bounds = line("  at most", ({ allowed, text }) => (allowed === undefined ? "" : text(allowed)));
  const missed = missedIn(scenario, ours);
  const verdict = missed.length === 0 ? "ok" : `MISSED: ${missed.join(", ")}`;
  return [
    `${scenario.name}: ${scenario.title}`,
    line("", ({ title }) => title),
    figures(ours),
    ...(scenario.allowed ? [`${bounds}   ${verdict}`] : []),
    ...notes.map(({ name, summary }) => figures({ name: `  ${name}`, summary })),
    ...others.map(figures),
  ].join("\n");
}

/** The columns of a scenario, in order; those with a bound have `allowed`. */
export function columnsOf({ allowed, longest, distance }: Scenario): Column[] {
  const times = ["1 h", "24 h", "7 d", ...(longest ? [`${longest / day} d`] : [])];
  return [
    ...times.map((title, index) => ({
      title,
      found: ({ shifts }: Summary) => shifts[index] ?? null,
      text: stars,
      allowed: allowed?.shifts?.[index] ?? undefined,
    })),
    ...(distance
      ? [{ title: distance, found: (row: Summary) => row.distance, text: stars, allowed: allowed?.distance }]
      : []),
    { title: "refused", found: ({ refused }) => refused, text: percent, allowed: allowed && refusedAllowed },
    {
      title: "held 24 h",
      found: ({ heldAfterDay }) => heldAfterDay,
      text: percent,
      allowed: allowed?.heldAfterDay,
    },
    {
      title: "held +1 d",
      found: ({ heldDayLater }) => heldDayLater,
      text: percent,
      allowed: allowed?.heldDayLater,
    },
    { title: "held 7 d", found: ({ heldAfterWeek }) => heldAfterWeek, text: percent, allowed: undefined },
    {
      title: "flood in",
      found: ({ floodCounted }) => floodCounted,
      text: percent,
      allowed: allowed?.floodCounted,
    },
  ];
}

function stars(figure: number): string {
  return figure.toFixed(3);
}

/** Not 0 % for a share slightly above 0. */
function percent(share: number): string {
  return share > 0 && share < 0.001 ? "< 0.1 %" : `${Number((share * 100).toFixed(1))} %`;
}
