/**
 * The traces of the lab.
 * A trace is the same at every visit, and has a sentence about its content and source.
 */
import type { SettingTexts } from "./settings.ts";
import type { TraceRequest } from "./simulate.ts";
import {
  dayMs,
  dyingAway,
  hourMs,
  independent,
  minuteMs,
  regular,
  requestsAt,
  secondMs,
  together,
} from "./traffic.ts";

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
  title: string;
  /** The events in it. */
  about: string;
  /** Settings that show the trace's characteristics. */
  suggestion?: { about: string; settings: SettingTexts };
  /**
   * The part that is shown first, in milliseconds since the trace began.
   * All of it when left out.
   */
  focus?: { name: string; fromMs: number; toMs: number };
  requests: () => TraceRequest[];
}

const floodAt = 20 * hourMs;

export const knownTraces = {
  flood: {
    title: "A flood after a quiet day",
    about:
      "Readers rate a post about every two minutes. At 20:00 a script sends 120 zeros within three seconds, and 700 more " +
      "trickle in over the next minutes while readers go on. Simulated.",
    focus: { name: "The flood", fromMs: floodAt - minuteMs, toMs: floodAt + 9 * minuteMs },
    requests: () =>
      together(
        requestsAt(independent({ seed: 11, untilMs: dayMs, most: 1 / 120 }), "honest"),
        requestsAt(regular(120, 25, floodAt), "flood"),
        requestsAt(
          dyingAway({
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
    title: "A slow campaign",
    about:
      "A large channel calls for zeros at 4:00: one every two seconds at first, half as many every forty minutes, " +
      "beside readers who come about every ten minutes. Never much in any one second. Simulated.",
    suggestion: {
      about: "200 free a day, then 5 a minute; a window of 100 an hour",
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
          dyingAway({
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
    title: "An honest front-page surge",
    about:
      "A post is linked from a front page: what was one reader a minute grows tenfold over two hours, stays so for " +
      "half an hour, and falls again. All readers are honest. Simulated.",
    requests: () =>
      requestsAt(
        independent({ seed: 31, untilMs: 7 * hourMs, most: 1 / 6, perSecond: surgePerSecond }),
        "honest",
      ),
  },
  crowd: {
    title: "A steady crowd",
    about: "Twelve independent readers a second, for one minute. All readers are honest. Simulated.",
    requests: () => requestsAt(independent({ seed: 41, untilMs: minuteMs, most: 12 }), "honest"),
  },
  locker: {
    title: "100 calls 0.1 s apart",
    about: "The demonstration of a locker that lets 5 in per 0.8 seconds: go five times, sorry three times.",
    suggestion: {
      about: "5 per 0.8 seconds",
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
    title: "One early, two just before 5 s, three at 6 s",
    about:
      "Around the edge of a window of 5 seconds: a fixed window of 3 passes five of these within 2 seconds, a sliding " +
      "log never more than three in any 5.",
    suggestion: {
      about: "3 per 5 seconds",
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
    title: "15 requests 0.1 s apart",
    about: "What a bucket of 10 tokens, 2 more a second, makes of them: twelve pass, the last three do not.",
    suggestion: {
      about: "10 at once, 2 a second",
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
    title: "21 at one instant",
    about: "A bucket of 20 passes twenty of them and refuses the last.",
    suggestion: {
      about: "20 at once, 10 a second",
      settings: { LEAKY_BUCKET_CAPACITY: "20", LEAKY_BUCKET_LEAK_PER_SECOND: "10" },
    },
    requests: () => requestsAt(regular(21, 0)),
  },
  gaps: {
    title: "15 requests 5 s apart, then 6 that are 50 ms apart",
    about: "Fifteen regular gaps teach what is usual; an EMA refuses most of the six that break it.",
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

const byName = new Map<string, KnownTrace>(Object.entries(knownTraces));

/** By name; undefined for a name that there is not. */
export function knownTrace(name: string): KnownTrace | undefined {
  return byName.get(name);
}

const made = new Map<KnownTrace, readonly TraceRequest[]>();

/** Its requests, made at the first time: they are always the same. */
export function requestsOf(trace: KnownTrace): readonly TraceRequest[] {
  const requests = made.get(trace) ?? trace.requests();
  made.set(trace, requests);
  return requests;
}
