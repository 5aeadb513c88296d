/** The load test's chart, as SVG: requests a second and waits. */
import { scaleLog } from "d3-scale";
import { escapeMarkup } from "../lib/text/escape-markup.ts";
import type { LoadResult } from "./load-run.ts";

export interface ChartRow {
  name: string;
  alone: LoadResult;
  together: LoadResult;
}

const [width, nameWidth, panelWidth, gap] = [860, 270, 260, 30];
const [barHeight, rowHeight, top] = [13, 44, 62];
const alone = "#94a3b8";
const together = "#b45309";

export function loadChart(rows: readonly ChartRow[]): string {
  const panels = [
    panel(rows, nameWidth, "requests a second", ({ perSecond }) => perSecond, numberText),
    panel(
      rows,
      nameWidth + panelWidth + gap,
      "99th percentile of waits",
      ({ p99Ms }) => p99Ms,
      (ms) => `${numberText(ms)} ms`,
    ),
  ];
  const height = top + rows.length * rowHeight + 8;
  const names = rows.map(({ name }, row) => text(16, top + row * rowHeight + 18, name));
  const legend = [
    `<rect x="16" y="20" width="13" height="13" fill="${alone}"/>`,
    text(36, 31, "alone"),
    `<rect x="96" y="20" width="13" height="13" fill="${together}"/>`,
    text(116, 31, "all together"),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Requests a second and waits of each load" font-family="system-ui, sans-serif" font-size="13" fill="#0f172a">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...legend,
    ...names,
    ...panels.flat(),
    "</svg>\n",
  ].join("\n");
}

/** Bars on a logarithmic scale: figures differ by a factor of a thousand. */
function panel(
  rows: readonly ChartRow[],
  left: number,
  title: string,
  figureOf: (result: LoadResult) => number,
  label: (figure: number) => string,
): string[] {
  const figures = rows.flatMap((row) => [row.alone, row.together]).map(figureOf);
  const scale = scaleLog([1, Math.max(10, ...figures)], [4, panelWidth - 60]).clamp(true);
  const bar = (row: number, line: number, result: LoadResult, colour: string) => {
    const y = top + row * rowHeight + line * (barHeight + 3);
    const length = scale(Math.max(1, figureOf(result))).toFixed(1);
    return [
      `<rect x="${left}" y="${y}" width="${length}" height="${barHeight}" fill="${colour}"/>`,
      text(left + Number(length) + 5, y + 11, label(figureOf(result))),
    ];
  };
  return [
    text(left, 31, title),
    ...rows.flatMap((each, row) => [
      ...bar(row, 0, each.alone, alone),
      ...bar(row, 1, each.together, together),
    ]),
  ];
}

function text(x: number, y: number, content: string): string {
  return `<text x="${x}" y="${y}">${escapeMarkup(content)}</text>`;
}

function numberText(value: number): string {
  return Math.round(value).toLocaleString("en");
}
