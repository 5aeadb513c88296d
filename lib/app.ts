/** What posts, ratings and accounts ask for as their context, in pages, actions and the API alike. */
import { database } from "./database.ts";
import { env } from "./env.ts";
import { createGuard, type Guard } from "./guard/index.ts";
import { type LimiterStore, limiterStore } from "./limiter-store.ts";
import { type Limits, limits } from "./limits.ts";
import type { Part } from "./observe/health.ts";
import { countingOutages, countRedisRetry } from "./observe/metrics.ts";
import { observedGuard } from "./observe/observed-guard.ts";
import { timedStates } from "./observe/timed-states.ts";
import { occasionalLog } from "./occasional-log.ts";
import { catchUp } from "./ratings/saved-tally.ts";
import { scoring } from "./scoring.ts";

export function app() {
  return { database: database(), limits: knownLimits(), guard: guard(), ratingMaxWaitMs, scoring };
}

/** What the app needs to serve requests, and how to find out whether it can be used. */
export function neededParts(): Part[] {
  return [{ name: "database", check: () => database().ping() }, ...limiterStoreParts()];
}

/** The store of limiter states where it is one that may be out of reach, and is not the database. */
export function limiterStoreParts(): Part[] {
  guard();
  const ping = kept.weirLimiterStore?.ping;
  return ping ? [{ name: "limiter store", check: ping }] : [];
}

/** As `app`, for those who read scores or flood windows: what is due by `now` (milliseconds) is done first. */
export async function currentApp(now: number) {
  await catchUp(database(), now, scoring, reportCatchUp);
  return app();
}

const reportCatchUp = occasionalLog("a post's tally could not be brought up to date");

const ratingMaxWaitMs = env.RATING_OVERFLOW === "wait" ? env.RATING_MAX_WAIT_MS : 0;

// Kept on the global object: the framework may load this module more than once in a process, and all who wait
// must stand in the same lines.
const kept: {
  weirGuard?: Guard;
  weirLimiterStore?: LimiterStore | undefined;
  weirLimits?: Limits;
} & typeof globalThis = globalThis;

/** One object for all: requests are known by the limits that they are checked against. */
function knownLimits(): Limits {
  kept.weirLimits ??= limits;
  return kept.weirLimits;
}

function guard(): Guard {
  if (!kept.weirGuard) {
    const report = occasionalLog("limiter states cannot be had");
    const store = limiterStore(env, report, countRedisRetry);
    kept.weirLimiterStore = store;
    const guard = createGuard({
      ...timedStates(database(), store, env.LIMITER_STORE),
      rules: env.ACCESS_RULES,
      report: countingOutages(report),
    });
    kept.weirGuard = observedGuard(guard, knownLimits());
  }
  return kept.weirGuard;
}
