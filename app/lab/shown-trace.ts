/** The trace that an address names, as the page shows it. */

import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import type { LabQuery } from "@/lib/lab/address";
import { busiestPart } from "@/lib/lab/intervals";
import { type ShownTrace, zeroOf } from "@/lib/lab/part";
import { pastedTrace } from "@/lib/lab/pasted";
import { recordedTrace } from "@/lib/lab/recorded";
import {
  type KnownTrace,
  knownTraceName,
  knownTraces,
  largestTrace,
  longestTraceMs,
  requestsOf,
} from "@/lib/lab/traces";
import { traceStart } from "@/lib/lab/traffic";
import { dayMs } from "@/lib/time/units";
import type { User } from "@/lib/users";
import type { FieldErrors } from "@/lib/validation";

type FoundTrace =
  | { kind: "trace"; trace: ShownTrace }
  /** There is no trace to show yet; the missing part. */
  | { kind: "nothing"; errors: FieldErrors }
  | { kind: "forbidden" }
  | { kind: "no-such-post" };

export async function shownTrace(query: LabQuery, user: User | null): Promise<FoundTrace> {
  if (query.trace === "times") return pasted(query.times);
  if (query.trace === "post") return recorded(query.post, user);
  const name = knownTraceName(query.trace);
  if (!name) return nothing("trace", translator("lab")("error.noTrace"));
  const t = translator("lab");
  const known: KnownTrace = knownTraces[name];
  const [title, about] = [t(`trace.${name}.title`), t(`trace.${name}.about`)];
  const suggestion = known.suggestion && {
    ...known.suggestion,
    about: t(`suggestion.${known.suggestion.name}`),
  };
  const focus = known.focus && { ...known.focus, name: t("shown.flood"), opens: true };
  return {
    kind: "trace",
    trace: { title, about, suggestion, focus, requests: requestsOf(known), startsAt: traceStart },
  };
}

function pasted(text: string): FoundTrace {
  const result = pastedTrace(text);
  if (!result.ok) return nothing("times", result.error);
  const { requests, startsAt } = result.trace;
  const t = translator("lab");
  const about = t("shown.pastedAbout", { count: requests.length });
  return {
    kind: "trace",
    trace: withBusiest({
      title: t("shown.pasted"),
      about: startsAt === null ? `${about} ${t("shown.utc")}` : about,
      requests,
      startsAt,
    }),
  };
}

async function recorded(slug: string, user: User | null): Promise<FoundTrace> {
  const t = translator("lab");
  if (!user) return nothing("post", "");
  if (!slug) return nothing("post", t("error.choosePost"));
  const outcome = await recordedTrace(app(), { slug, user });
  if (outcome.kind !== "trace") return outcome;
  const { title, requests, isCut } = outcome.trace;
  if (requests.length === 0) return nothing("post", t("error.noAttempts"));
  const about = isCut
    ? `${t("shown.recorded")} ${t("shown.cut", { most: largestTrace, days: longestTraceMs / dayMs })}`
    : t("shown.recorded");
  return { kind: "trace", trace: withBusiest({ title, about, requests, startsAt: null }) };
}

/** Offers the busiest part as a link; the whole trace is shown first. */
function withBusiest(trace: ShownTrace): ShownTrace {
  const part = busiestPart(trace.requests);
  if (!part) return trace;
  const zero = zeroOf(trace);
  const focus = {
    name: translator("lab")("shown.busiest"),
    fromMs: part.from - zero,
    toMs: part.to - zero,
    opens: false,
  };
  return { ...trace, focus };
}

function nothing(field: string, error: string): FoundTrace {
  return { kind: "nothing", errors: error ? { [field]: [error] } : {} };
}
