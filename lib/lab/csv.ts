/** Reads ratings as CSV: a time, a score, and the user where it is known. */
import { type Score, scores } from "../ratings/score/score.ts";
import { dayMs } from "../time/units.ts";
import type { ScoredRequest } from "./compare-scores.ts";
import { firstMoment, millisecondsOf } from "./read-time.ts";
import { traceStart } from "./traffic.ts";

/** The most rows, and the longest time between the first and the last. */
export const csvMaximum = { rows: 100_000, days: 3_653 };

export type CsvFault =
  | { kind: "nothing" | "many" | "long" }
  | { kind: "columns" | "score" | "notTime" | "negative" | "future"; line: number; text: string };

type ReadCsv =
  | {
      ok: true;
      requests: ScoredRequest[];
      /** Where seconds count from; null when the times are moments since 1970. */
      startsAt: number | null;
    }
  | { ok: false; fault: CsvFault };

const textMaximum = 40;

/** The rows in order of time. A first line without a number names columns. */
export function readCsv(text: string): ReadCsv {
  const users = new Map<string, number>();
  const rows: ScoredRequest[] = [];
  let line = 0;
  for (const written of text.split(/\r\n|\r|\n/)) {
    line += 1;
    const row = written.trim();
    if (row === "" || (line === 1 && !/\d/.test(row))) continue;
    const at = { line, text: row.length > textMaximum ? `${row.slice(0, textMaximum)}…` : row };
    const [time, given, user = "", ...others] = row.split(/[,;\t]/).map(unquoted);
    if (time === undefined || given === undefined || others.length > 0)
      return { ok: false, fault: { kind: "columns", ...at } };
    const atMs = millisecondsOf(time);
    if (typeof atMs === "string") return { ok: false, fault: { kind: atMs, ...at } };
    const score = scoreOf(given);
    if (score === undefined) return { ok: false, fault: { kind: "score", ...at } };
    if (rows.length === csvMaximum.rows) return { ok: false, fault: { kind: "many" } };
    if (user !== "" && !users.has(user)) users.set(user, users.size + 1);
    const known = users.get(user);
    rows.push({ at: atMs, score, ...(known !== undefined && { user: known }) });
  }
  rows.sort((one, other) => one.at - other.at);
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return { ok: false, fault: { kind: "nothing" } };
  if (last.at - first.at > csvMaximum.days * dayMs) return { ok: false, fault: { kind: "long" } };
  const startsAt = last.at < firstMoment ? traceStart : null;
  return { ok: true, requests: rows.map((row) => ({ ...row, at: row.at + (startsAt ?? 0) })), startsAt };
}

function unquoted(cell: string): string {
  return cell.trim().replace(/^"(.*)"$/, "$1");
}

function scoreOf(text: string): Score | undefined {
  return text === "" ? undefined : scores.find((score) => score === Number(text));
}
