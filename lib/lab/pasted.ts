/** A pasted list of times, as a trace: seconds, milliseconds, or dates with a time. */
import { translator } from "../i18n/index.ts";
import { dayMs } from "../time/units.ts";
import { firstMoment, millisecondsOf } from "./read-time.ts";
import type { TraceRequest } from "./simulate.ts";
import { longestTraceMs } from "./traces.ts";
import { traceStart } from "./traffic.ts";

/**
 * How many times may be pasted, and in how many characters.
 * All of them travel in the page's address.
 */
export const pastedMaximum = { times: 1_000, characters: 6_000 };

interface PastedTrace {
  requests: TraceRequest[];
  /** Where seconds count from; null when the times are moments since 1970. */
  startsAt: number | null;
}

type Pasted = { ok: true; trace: PastedTrace } | { ok: false; error: string };

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

function fault(error: string): Pasted {
  return { ok: false, error };
}
