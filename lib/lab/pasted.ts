/** A pasted list of times, as a trace: seconds, milliseconds, or dates with a time. */
import { z } from "zod";
import { translator } from "../i18n/index.ts";
import type { TraceRequest } from "./simulate.ts";
import { longestTraceMs } from "./traces.ts";
import { dayMs, traceStart } from "./traffic.ts";

/**
 * How many times may be pasted, and in how many characters.
 * All of them travel in the page's address.
 */
export const pastedMaximum = { times: 1_000, characters: 6_000 };

export interface PastedTrace {
  requests: TraceRequest[];
  /** Where seconds count from; null when the times are moments since 1970. */
  startsAt: number | null;
}

export type Pasted = { ok: true; trace: PastedTrace } | { ok: false; error: string };

const clockTime = z.iso.datetime({ offset: true, local: true });
const lastMoment = Date.UTC(9999, 11, 31);
/** Larger numbers are milliseconds since 1970, smaller ones a duration. */
const firstMoment = Date.UTC(1973, 2, 3);

/**
 * Reads times, one per line or parted by commas.
 * Sorts them, and keeps those that are equal.
 */
export function pastedTrace(text: string): Pasted {
  const t = translator("lab");
  if (text.length > pastedMaximum.characters) {
    return fault(t("error.characters", { most: pastedMaximum.characters }));
  }
  const read: { atMs: number; place: { line: number; part: string } }[] = [];
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    for (const part of line.split(/[,;]/).map((each) => each.trim())) {
      if (part === "") continue;
      const place = { line: index + 1, part: part.length > 40 ? `${part.slice(0, 40)}…` : part };
      const atMs = millisecondsOf(part);
      if (typeof atMs === "string") return fault(t("error.line", { ...place, fault: t(`error.${atMs}`) }));
      read.push({ atMs, place });
    }
  }
  const [first, ...others] = read.toSorted((one, other) => one.atMs - other.atMs);
  const last = others.at(-1) ?? first;
  if (!first || !last) return fault(t("error.nothing"));
  if (read.length > pastedMaximum.times)
    return fault(t("error.many", { count: read.length, most: pastedMaximum.times }));
  if (last.atMs - first.atMs > longestTraceMs)
    return fault(
      t("error.line", { ...last.place, fault: t("error.long", { days: longestTraceMs / dayMs }) }),
    );
  const startsAt = last.atMs < firstMoment ? traceStart : null;
  return {
    ok: true,
    trace: {
      requests: [first, ...others].map(({ atMs }) => ({ at: (startsAt ?? 0) + atMs })),
      startsAt,
    },
  };
}

/** Whole milliseconds, or the fault. */
export function millisecondsOf(part: string): number | "notTime" | "negative" | "future" {
  const [, digits, unit = ""] = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?) ?(s|ms)?$/i.exec(part) ?? [];
  const atMs = digits === undefined ? dateOf(part) : numberOf(Number(digits), unit.toLowerCase());
  if (Number.isNaN(atMs)) return "notTime";
  if (atMs < 0) return "negative";
  if (atMs > lastMoment) return "future";
  return atMs;
}

/** Without a unit: seconds, or milliseconds since 1970 if large enough. */
function numberOf(value: number, unit: string): number {
  const milliseconds = unit === "ms" || (unit === "" && value >= firstMoment);
  return Math.round(milliseconds ? value : value * 1_000);
}

/** Without a zone it is UTC. */
function dateOf(part: string): number {
  const text = part
    .replace(" ", "T")
    .replace(/^\d{4}-\d\d-\d\d$/, "$&T00:00")
    .replace(/T\d\d:\d\d(?!:)/, "$&:00");
  if (!clockTime.safeParse(text).success) return Number.NaN;
  return Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(text.slice(10)) ? text : `${text}Z`);
}

function fault(error: string): Pasted {
  return { ok: false, error };
}
