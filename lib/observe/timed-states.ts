/** Measures how long updates of limiter states take, by store. */
import type { Database } from "../../db/index.ts";
import type { Store } from "../limiter/index.ts";
import type { GuardSettings } from "../limits/guard.ts";
import { metrics } from "./metrics.ts";

/** Records the duration of `work`, also when it fails. */
async function timed<T>(store: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  try {
    return await work();
  } finally {
    metrics().limiterSeconds.observe({ store }, (performance.now() - startedAt) / 1000);
  }
}

/**
 * Wraps a guard's storage to time each update of `store`.
 * Labelled `name`; without a store, each transaction is timed.
 */
export function timedStates(
  { transaction, limiterStates, time }: Pick<Database, "transaction" | "limiterStates" | "time">,
  store: Store | undefined,
  name: string,
): Pick<GuardSettings, "database" | "store"> {
  if (!store)
    return {
      database: {
        limiterStates,
        time,
        transaction: (work, options) => timed("database", () => transaction(work, options)),
      },
    };
  return {
    database: { limiterStates, time, transaction },
    store: {
      update: (key, step, now) => timed(name, () => store.update(key, step, now)),
      updateMany: (keys, step, now) => timed(name, () => store.updateMany(keys, step, now)),
    },
  };
}
