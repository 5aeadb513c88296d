/**
 * The traces of the lab.
 * A trace is the same at every visit. Its title and description are messages.
 */

import { dayMs, hourMs, minuteMs, secondMs } from "../time/units.ts";
import type { LabSettingTexts } from "./settings.ts";
import type { TraceRequest } from "./simulate.ts";
import { decaying, independent, regular, requestsAt, together } from "./traffic.ts";

/**
 * The most requests that a trace may have.
 * Each algorithm decides all of them while the page is made.
 */
export const largestTrace = 2_000;
/**
 * The longest time that a trace may span.
 * Each further calendar day costs its limits a third of a millisecond.
 */
export const longestTraceMs = 31 * dayMs;

export interface KnownTrace {
  /** Settings that show the trace's characteristics. */
  suggestion?: { name: "campaign" | "locker" | "edge" | "tokens" | "instant"; settings: LabSettingTexts };
  /**
   * The part that is shown first, in milliseconds since the trace began.
   * All of it when left out.
   */
  focus?: { fromMs: number; toMs: number };
  requests: () => TraceRequest[];
}

const floodAt = 20 * hourMs;

export const knownTraces = {
  flood: {
    focus: { fromMs: floodAt - minuteMs, toMs: floodAt + 9 * minuteMs },
    requests: () =>
      together(
        requestsAt(independent({ seed: 11, untilMs: dayMs, most: 1 / 120 }), "honest"),
        requestsAt(regular(120, 25, floodAt), "flood"),
        requestsAt(
          decaying({
            seed: 12,
            fromMs: floodAt + 3 * secondMs,
            untilMs: floodAt + 30 * minuteMs,
            perSecond: 3.2,
            halfLifeMs: 2.5 * minuteMs,
          }),
          "flood",
        ),
      ),
  },
  campaign: {
    suggestion: {
      name: "campaign",
      settings: {
        TIERED_FREE_PER_DAY: "200",
        TIERED_LIMIT: "5",
        TIERED_SECONDS: "60",
        FIXED_WINDOW_LIMIT: "100",
        FIXED_WINDOW_SECONDS: "3600",
      },
    },
    requests: () =>
      together(
        requestsAt(independent({ seed: 21, untilMs: 12 * hourMs, most: 1 / 600 }), "honest"),
        requestsAt(
          decaying({
            seed: 22,
            fromMs: 4 * hourMs,
            untilMs: 12 * hourMs,
            perSecond: 0.5,
            halfLifeMs: 40 * minuteMs,
          }),
          "flood",
        ),
      ),
  },
  surge: {
    requests: () =>
      requestsAt(
        independent({ seed: 31, untilMs: 7 * hourMs, most: 1 / 6, perSecond: surgePerSecond }),
        "honest",
      ),
  },
  crowd: {
    requests: () => requestsAt(independent({ seed: 41, untilMs: minuteMs, most: 12 }), "honest"),
  },
  locker: {
    suggestion: {
      name: "locker",
      settings: {
        FIXED_WINDOW_LIMIT: "5",
        FIXED_WINDOW_SECONDS: "0.8",
        SLIDING_LOG_LIMIT: "5",
        SLIDING_LOG_SECONDS: "0.8",
      },
    },
    requests: () => requestsAt(regular(100, 100)),
  },
  edge: {
    suggestion: {
      name: "edge",
      settings: {
        FIXED_WINDOW_LIMIT: "3",
        FIXED_WINDOW_SECONDS: "5",
        SLIDING_LOG_LIMIT: "3",
        SLIDING_LOG_SECONDS: "5",
      },
    },
    requests: () => requestsAt([0, 4_900, 4_950, 6_000, 6_000, 6_000]),
  },
  tokens: {
    suggestion: {
      name: "tokens",
      settings: {
        TOKEN_BUCKET_CAPACITY: "10",
        TOKEN_BUCKET_REFILL_PER_SECOND: "2",
        LEAKY_BUCKET_CAPACITY: "10",
        LEAKY_BUCKET_LEAK_PER_SECOND: "2",
      },
    },
    requests: () => requestsAt(regular(15, 100)),
  },
  instant: {
    suggestion: {
      name: "instant",
      settings: { LEAKY_BUCKET_CAPACITY: "20", LEAKY_BUCKET_LEAK_PER_SECOND: "10" },
    },
    requests: () => requestsAt(regular(21, 0)),
  },
  gaps: {
    requests: () => requestsAt([...regular(15, 5_000), ...regular(6, 50, 70_050)]),
  },
} as const satisfies Record<string, KnownTrace>;

/** One reader a minute, ten at the height. */
function surgePerSecond(atMs: number): number {
  const hours = atMs / hourMs;
  const share = Math.max(0, Math.min(1, (hours - 1) / 2, (5.5 - hours) / 2));
  return (1 + 9 * share) / 60;
}

export type KnownTraceName = keyof typeof knownTraces;

const names = Object.keys(knownTraces).filter((name): name is KnownTraceName => name in knownTraces);

/** The trace of a name; undefined for an unknown name. */
export function knownTrace(name: string): KnownTrace | undefined {
  const known = knownTraceName(name);
  return known && knownTraces[known];
}

/** The name itself, when there is such a trace. */
export function knownTraceName(name: string): KnownTraceName | undefined {
  return names.find((each) => each === name);
}

const made = new Map<KnownTrace, readonly TraceRequest[]>();

/** A trace's requests, generated once: they are always the same. */
export function requestsOf(trace: KnownTrace): readonly TraceRequest[] {
  const requests = made.get(trace) ?? trace.requests();
  made.set(trace, requests);
  return requests;
}
