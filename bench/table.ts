/**
 * A benchmark's result, as lines of text.
 * The figure, its target, and whether it was met.
 */
import type { Spread } from "./measure.ts";

export interface Report {
  text: string;
  /** The number of targets missed. */
  missed: number;
}

export interface Figure {
  name: string;
  /** A ratio without a unit, or a figure with its unit in `unit`. */
  value: Spread | number;
  unit?: string;
  /** None for a figure that explains another. */
  target?: Target;
}

export type Target = { atLeast: number } | { below: number } | { within: number };

/**
 * Whether a figure meets its target; `within` 1.2 is met from 1/1.2 to 1.2.
 * True when there is none.
 */
export function isMet({ value, target }: Figure): boolean {
  const measured = typeof value === "number" ? value : value.median;
  if (!target) return true;
  if ("atLeast" in target) return measured >= target.atLeast;
  if ("below" in target) return measured < target.below;
  return measured <= target.within && measured >= 1 / target.within;
}

/** A title and a line for each figure, in columns. */
export function tableOf(title: string, figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    valueText(figure),
    spreadText(figure),
    targetText(figure),
    figure.target ? (isMet(figure) ? "ok" : "MISSED") : "",
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    return `  ${cells.join("   ").trimEnd()}`;
  });
  return [title, ...lines].join("\n");
}

function valueText({ value, unit }: Figure): string {
  const text = (typeof value === "number" ? value : value.median).toFixed(2);
  return unit ? `${text} ${unit}` : text;
}

function spreadText({ value }: Figure): string {
  return typeof value === "number" ? "" : `[${value.low.toFixed(2)} to ${value.high.toFixed(2)}]`;
}

function targetText({ target }: Figure): string {
  if (!target) return "";
  const [word, number] = Object.entries(target)[0] ?? [];
  return `(${word === "atLeast" ? "at least" : word} ${number})`;
}
