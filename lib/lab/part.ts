/** The part of a trace that an address selects: from one second to another. */
import { translator } from "../i18n/index.ts";
import { secondMs } from "../time/units.ts";
import type { FieldErrors } from "../validation.ts";
import type { LabSettingTexts } from "./settings.ts";
import type { TraceRequest } from "./simulate.ts";

interface Focus {
  name: string;
  fromMs: number;
  toMs: number;
  /** Whether it is the part shown first, rather than all. */
  opens: boolean;
}

/** A trace as a page shows it, wherever it comes from. */
export interface ShownTrace {
  title: string;
  about: string;
  requests: readonly TraceRequest[];
  /** Settings that show the algorithm's characteristics. */
  suggestion?: { about: string; settings: LabSettingTexts } | undefined;
  /** The origin of times, e.g. "20:01"; null for dates, which are shown in UTC. */
  startsAt: number | null;
  /** A part worth a look, in milliseconds since the trace began. */
  focus?: Focus | undefined;
}

export interface TracePart {
  from: number;
  to: number;
  /** Whether this is everything. */
  isWhole: boolean;
  errors: FieldErrors;
}

/** When seconds begin to count: with the trace, or the first moment in it. */
export function zeroOf({ startsAt, requests }: Pick<ShownTrace, "startsAt" | "requests">): number {
  return startsAt ?? requests[0]?.at ?? 0;
}

export function partOf(trace: ShownTrace, typed: { from: string; to: string }): TracePart {
  const t = translator("lab");
  const zero = zeroOf(trace);
  const first = trace.requests[0]?.at ?? zero;
  // An instant is shown as part of a second.
  const last = Math.max((trace.requests.at(-1)?.at ?? zero) + 1, first + secondMs);
  const errors: FieldErrors = {};
  const read = (name: "from" | "to"): number | undefined => {
    if (!typed[name]) return undefined;
    const seconds = Number(typed[name]);
    if (!(seconds >= 0)) errors[name] = [t("error.seconds")];
    return errors[name] ? undefined : Math.min(zero + Math.round(seconds * 1_000), last);
  };
  const [typedFrom, typedTo] = [read("from"), read("to")];
  const isTyped = typedFrom !== undefined || typedTo !== undefined;
  const opens = trace.focus?.opens && !isTyped && Object.keys(errors).length === 0;
  const focus = opens ? trace.focus : undefined;
  const from = focus ? zero + focus.fromMs : Math.max(typedFrom ?? first, first);
  const to = focus ? zero + focus.toMs : (typedTo ?? last);
  if (to - from < leastMs) {
    if (isTyped && from < last - leastMs) errors.to = [t("error.later")];
    else if (isTyped) errors.from = [t("error.earlier")];
    return { from: first, to: last, isWhole: true, errors };
  }
  return { from, to, isWhole: from <= first && to >= last, errors };
}

/** The shortest part that is shown. */
const leastMs = 10;
