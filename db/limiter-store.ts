/** The limiter library's store on the database. */
import { type Clock, type ManyStep, requireDistinct, type Store, storeFrom } from "../lib/limiter/index.ts";
import type { Database } from "./database.ts";
import type { LimiterStateQueries, LimiterStateToSave, SavedLimiterState } from "./types.ts";

type States = Pick<LimiterStateQueries, "loadToUpdate" | "save">;

/**
 * A store for use inside a transaction of the database.
 *
 * The states that it saves are part of the transaction. The clock is read when the locks of the states are held, and
 * the database's clock with them: several nodes, whose clocks differ, count time by that one.
 */
export function transactionStore(states: States, clock: Clock): Store {
  return storeFrom(async <S, R>(keys: readonly string[], step: ManyStep<S, R>, callersNow?: number) => {
    requireDistinct(keys);
    const { saved, aheadMs } = await states.loadToUpdate(keys);
    const now = callersNow ?? timeOf(saved, clock() + aheadMs);
    const { result, toSave } = runStep(
      keys,
      step,
      saved.map((each) => stateAt(each, now)),
      now,
    );
    if (toSave.length > 0) await states.save(toSave, now);
    return result;
  });
}

// Others wait meanwhile.
const mostUpdatesPerTransaction = 256;

/**
 * A store with transactions of its own.
 *
 * Updates of one turn of the event loop share one, in the order of their calls, and resolve when it is committed; those
 * of several processes on one database come one after the other.
 *
 * An update whose step throws rejects alone. When the database fails, or stays locked, all that share the transaction
 * reject and nothing of them is saved.
 *
 * Not for use inside a transaction of the same database: the first update of a turn gives all of them its transaction,
 * and one that waits for another's would never end.
 */
export function databaseStore(
  { limiterStates, transaction }: Pick<Database, "limiterStates" | "transaction">,
  time: Clock = () => Date.now(),
): Store {
  const clock = () => Math.floor(time());
  let pending: QueuedUpdate[] = [];

  async function flush(): Promise<void> {
    const updates = pending.slice(0, mostUpdatesPerTransaction);
    pending = pending.slice(mostUpdatesPerTransaction);
    if (pending.length > 0) setImmediate(flush);
    try {
      const settles = await transaction(async () => {
        const settles: Settle[] = [];
        for (const run of runsOfOneTime(updates))
          settles.push(...(await executeAll(limiterStates, clock, run)));
        return settles;
      });
      for (const settle of settles) settle();
    } catch (error) {
      for (const { reject } of updates) reject(error);
    }
  }

  return storeFrom(
    <S, R>(keys: readonly string[], step: ManyStep<S, R>, callersNow?: number) =>
      new Promise<R>((resolve, reject) => {
        requireDistinct(keys);
        const run = (states: readonly unknown[], now: number) => {
          const { result, toSave } = runStep(keys, step, states, now);
          return { toSave, settle: () => resolve(result) };
        };
        pending.push({ keys, callersNow, run, reject });
        // A microtask would come too soon: a server's requests of one turn arrive in callbacks of their own.
        if (pending.length === 1) setImmediate(flush);
      }),
  );
}

/** Settles the promise of an update, once its states are committed. */
type Settle = () => void;

interface QueuedUpdate {
  keys: readonly string[];
  /** The caller's time; undefined for the clock's. */
  callersNow: number | undefined;
  /** Runs the step, and throws its errors. */
  run(states: readonly unknown[], now: number): { toSave: LimiterStateToSave[]; settle: Settle };
  reject(error: unknown): void;
}

/** The step's result, and the states to save. Throws the step's errors. */
function runStep<S, R>(
  keys: readonly string[],
  step: ManyStep<S, R>,
  states: readonly unknown[],
  now: number,
) {
  // The one cast here: that the states saved under these keys are an S, only the caller can know.
  const { result, changes } = step(states as readonly (S | undefined)[], now);
  const toSave = keys.flatMap((key, index): LimiterStateToSave[] => {
    const { next: state, expiresAt } = changes[index] ?? {};
    return state === undefined ? [] : [{ key, state, expiresAt }];
  });
  toSave.forEach(requireSavable);
  return { result, toSave };
}

/** Executes updates of one time, in the caller's transaction. */
async function executeAll(
  limiterStates: States,
  clock: Clock,
  updates: readonly QueuedUpdate[],
): Promise<Settle[]> {
  const keys = [...new Set(updates.flatMap(({ keys }) => keys))];
  const { saved, aheadMs } = await limiterStates.loadToUpdate(keys);
  const states = new Map(keys.map((key, index) => [key, saved[index]]));
  const changes = new Map<string, LimiterStateToSave>();
  let latest = 0;
  const settles = updates.map(({ keys, callersNow, run, reject }): Settle => {
    try {
      const found = keys.map((key) => states.get(key));
      const now = callersNow ?? timeOf(found, clock() + aheadMs);
      const { toSave, settle } = run(
        found.map((each) => stateAt(each, now)),
        now,
      );
      for (const change of toSave) {
        const { key, state, expiresAt = Number.POSITIVE_INFINITY } = change;
        changes.set(key, { ...change, writtenAt: now });
        states.set(key, expiresAt <= now ? undefined : { state, expiresAt, writtenAt: now });
        latest = Math.max(latest, now);
      }
      return settle;
    } catch (error) {
      return () => reject(error);
    }
  });
  if (changes.size > 0) await limiterStates.save([...changes.values()], latest);
  return settles;
}

/**
 * Consecutive updates with the same time, the callers' or the clock's.
 * That time determines whether a saved state has expired.
 */
function runsOfOneTime(updates: readonly QueuedUpdate[]): QueuedUpdate[][] {
  const runs: QueuedUpdate[][] = [];
  for (const update of updates) {
    const run = runs.at(-1);
    if (run && run[0]?.callersNow === update.callersNow) run.push(update);
    else runs.push([update]);
  }
  return runs;
}

/**
 * A clock set back by more than this also sets back the time of a key.
 * After a smaller step the key's time stands still.
 */
const clockSetBackMs = 60_000;

/**
 * The time of an update.
 * The clock's, but not before the last write of any of its keys.
 *
 * A clock that jumps back and forth would leak a bucket twice. A last write that is a minute ahead was made before the
 * clock was set back, which could take any time to catch up: then the time goes back after all.
 */
function timeOf(saved: readonly (SavedLimiterState | undefined)[], now: number): number {
  return saved.reduce((latest, each) => {
    const writtenAt = each?.writtenAt ?? now;
    return writtenAt < now + clockSetBackMs ? Math.max(latest, writtenAt) : latest;
  }, now);
}

function stateAt(saved: SavedLimiterState | undefined, now: number): unknown {
  return saved && saved.expiresAt > now ? saved.state : undefined;
}

/**
 * Throws when a state cannot be saved.
 * Its update must not fail the others of its transaction.
 */
function requireSavable({ key, state, expiresAt = 0 }: LimiterStateToSave): void {
  if (JSON.stringify(state) === undefined || Number.isNaN(expiresAt))
    throw new TypeError(`The state for ${JSON.stringify(key)} cannot be saved.`);
}
