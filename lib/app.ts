/** What posts, ratings and accounts ask for as their context, in pages, actions and the API alike. */
import { database } from "./database.ts";
import { env } from "./env.ts";
import { createGuard, type Guard } from "./guard/index.ts";
import { limiterStore } from "./limiter-store.ts";
import { limits } from "./limits.ts";
import { log } from "./log.ts";
import { catchUp } from "./ratings/saved-tally.ts";
import { scoring } from "./scoring.ts";

export function app() {
  return { database: database(), limits, guard: guard(), ratingMaxWaitMs, scoring };
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
const kept: { weirGuard?: Guard } & typeof globalThis = globalThis;

function guard(): Guard {
  if (!kept.weirGuard) {
    const report = occasionalLog("limiter states cannot be had");
    const store = limiterStore(env, report);
    kept.weirGuard = createGuard({ database: database(), store, rules: env.ACCESS_RULES, report });
  }
  return kept.weirGuard;
}

/** Says so once a second at most: an outage is one thing, however many requests it meets. */
function occasionalLog(message: string) {
  const intervalMs = 1_000;
  let saidAt = Number.NEGATIVE_INFINITY;
  return (error: unknown, policy?: string) => {
    if (performance.now() - saidAt < intervalMs) return;
    saidAt = performance.now();
    log.error({ err: error, policy }, message);
  };
}
