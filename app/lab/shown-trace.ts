/** The trace that an address names, as the page shows it. */

import { app } from "@/lib/app";
import type { LabQuery } from "@/lib/lab/address";
import { busiestPart } from "@/lib/lab/intervals";
import { type ShownTrace, zeroOf } from "@/lib/lab/part";
import { pastedTrace } from "@/lib/lab/pasted";
import { recordedTrace } from "@/lib/lab/recorded";
import { knownTrace, largestTrace, longestTraceMs, requestsOf } from "@/lib/lab/traces";
import { dayMs, traceStart } from "@/lib/lab/traffic";
import { formatNumber } from "@/lib/limiter/text";
import type { User } from "@/lib/users";
import type { FieldErrors } from "@/lib/validation";

export type Found =
  | { kind: "trace"; trace: ShownTrace }
  /** There is no trace to show yet; the missing part. */
  | { kind: "nothing"; errors: FieldErrors }
  | { kind: "forbidden" }
  | { kind: "no-such-post" };

export async function shownTrace(query: LabQuery, user: User | null): Promise<Found> {
  if (query.trace === "times") return pasted(query.times);
  if (query.trace === "post") return recorded(query.post, user);
  const known = knownTrace(query.trace);
  if (!known) return nothing("trace", "There is no such trace. Choose one of these.");
  const { title, about, suggestion } = known;
  const focus = known.focus && { ...known.focus, opens: true };
  return {
    kind: "trace",
    trace: { title, about, suggestion, focus, requests: requestsOf(known), startsAt: traceStart },
  };
}

function pasted(text: string): Found {
  const result = pastedTrace(text);
  if (!result.ok) return nothing("times", result.error);
  const { requests, startsAt } = result.trace;
  const count = requests.length === 1 ? "One time" : `${formatNumber(requests.length)} times`;
  const about = `${count}, as pasted.${startsAt === null ? " Times are UTC." : ""}`;
  return { kind: "trace", trace: withBusiest({ title: "Pasted times", about, requests, startsAt }) };
}

async function recorded(slug: string, user: User | null): Promise<Found> {
  if (!user) return nothing("post", "");
  if (!slug) return nothing("post", "Choose one of your posts.");
  const outcome = await recordedTrace(app(), { slug, user });
  if (outcome.kind !== "trace") return outcome;
  const { title, requests, isCut } = outcome.trace;
  if (requests.length === 0) return nothing("post", "There have been no attempts to rate this post yet.");
  const about =
    "All recorded tries to rate this post, whatever became of them. Only its author can see this. Times are UTC." +
    (isCut
      ? ` These are the newest: at most ${formatNumber(largestTrace)}, of ${longestTraceMs / dayMs} days.`
      : "");
  return { kind: "trace", trace: withBusiest({ title, about, requests, startsAt: null }) };
}

/** Offers the busiest part as a link; the whole trace is shown first. */
function withBusiest(trace: ShownTrace): ShownTrace {
  const part = busiestPart(trace.requests);
  if (!part) return trace;
  const zero = zeroOf(trace);
  const focus = { name: "The busiest part", fromMs: part.from - zero, toMs: part.to - zero, opens: false };
  return { ...trace, focus };
}

function nothing(field: string, error: string): Found {
  return { kind: "nothing", errors: error ? { [field]: [error] } : {} };
}
