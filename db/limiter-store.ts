/**
 * The limiter library's store upon the database. Updates that are asked for in the same turn of the event loop share one
 * transaction, in the order in which they were asked for, and answer when that is committed; those of any number of
 * processes on the same database come one after the other. The clock is read when the states are there, after the wait
 * for their lock, so that time does not run back from one update to the next.
 *
 * An update whose step throws rejects alone. When the database fails, or stays locked, all that share the transaction
 * reject and nothing of them is saved.
 *
 * Not to be asked within a transaction of the same database: whose update comes first in a turn gives all of them its own
 * transaction, and one that waits for another's turn in there waits for ever.
 */
import type { Clock, Store, Update } from "../lib/limiter/index.ts";
import type { Database, LimiterStateToSave } from "./types.ts";

// Others wait meanwhile.
const mostUpdatesPerTransaction = 256;

/** An update that waits for its transaction. */
interface Gathered {
  key: string;
  /** The time by which it goes; the clock's when it was told none. */
  toldNow: number | undefined;
  /** Decides upon a state at that time. Throws what the step throws. */
  decide(state: unknown): Decided;
  reject(error: unknown): void;
}

interface Decided {
  now: number;
  /** What is to be saved, if anything. */
  next?: LimiterStateToSave;
  /** Gives the answer out, once that is committed. */
  answer(): void;
}

export function databaseStore(
  { limiterStates, transaction }: Pick<Database, "limiterStates" | "transaction">,
  clock: Clock = () => Date.now(),
): Store {
  // Whatever is in here has its flush to come.
  let gathered: Gathered[] = [];

  function gather(update: Gathered): void {
    gathered.push(update);
    // A microtask would come too soon: a server's requests of one turn arrive in callbacks of their own.
    if (gathered.length === 1) setImmediate(flush);
  }

  async function flush(): Promise<void> {
    const updates = gathered.slice(0, mostUpdatesPerTransaction);
    gathered = gathered.slice(mostUpdatesPerTransaction);
    if (gathered.length > 0) setImmediate(flush);
    try {
      const answers = await transaction(async () => {
        const answers: (() => void)[] = [];
        for (const run of runsOfOneTime(updates)) answers.push(...(await carryOut(run)));
        return answers;
      });
      for (const answer of answers) answer();
    } catch (error) {
      for (const { reject } of updates) reject(error);
    }
  }

  async function carryOut(updates: readonly Gathered[]): Promise<(() => void)[]> {
    const keys = [...new Set(updates.map(({ key }) => key))];
    const loaded = await limiterStates.load(keys, updates[0]?.toldNow ?? clock());
    const states = new Map(keys.map((key, index) => [key, loaded[index]]));
    const changes = new Map<string, LimiterStateToSave>();
    let latest = 0;
    const answers = updates.map(({ key, decide, reject }) => {
      try {
        const { now, next, answer } = decide(states.get(key));
        if (next) {
          changes.set(key, next);
          states.set(key, next.expiresAt !== undefined && next.expiresAt <= now ? undefined : next.state);
          latest = Math.max(latest, now);
        }
        return answer;
      } catch (error) {
        return () => reject(error);
      }
    });
    if (changes.size > 0) await limiterStates.save([...changes.values()], latest);
    return answers;
  }

  return {
    update<S, R>(
      key: string,
      step: (state: S | undefined, now: number) => Update<S, R>,
      toldNow?: number,
    ): Promise<R> {
      return new Promise((resolve, reject) => {
        const decide = (state: unknown): Decided => {
          const now = toldNow ?? clock();
          // The one cast here: that the state saved under a key is an S, only the caller of `update` can know.
          const { result, ...changed } = step(state as S | undefined, now);
          const answer = () => resolve(result);
          if (changed.next === undefined) return { now, answer };
          const next = { key, state: changed.next, expiresAt: changed.expiresAt };
          requireSavable(next);
          return { now, next, answer };
        };
        gather({ key, toldNow, decide, reject });
      });
    },
  };
}

/** Updates that follow each other and go by one time, told or the clock's: by that, a saved state has expired or not. */
function runsOfOneTime(updates: readonly Gathered[]): Gathered[][] {
  const runs: Gathered[][] = [];
  for (const update of updates) {
    const run = runs.at(-1);
    if (run && run[0]?.toldNow === update.toldNow) run.push(update);
    else runs.push([update]);
  }
  return runs;
}

/** Throws when a state is nothing that can be saved: then its update must not take the others of its transaction along. */
function requireSavable({ key, state, expiresAt = 0 }: LimiterStateToSave): void {
  if (JSON.stringify(state) === undefined || Number.isNaN(expiresAt))
    throw new TypeError(`The state for ${JSON.stringify(key)} cannot be saved.`);
}
