import { requireDistinct, requireKnown, requirePositive } from "../settings.ts";
import type { Clock, ManyStep, Store, Update } from "../types.ts";

export type MemoryStoreSettings = {
  /** The most keys that are kept. Default: 100,000. */
  maxKeys?: number;
  /** Read when an update brings no time of its own. Default: the machine's clock. */
  clock?: Clock;
};

/** An entry, also a node of the circular list of all entries by last use. */
class Entry {
  readonly key: string;
  state: unknown;
  expiresAt: number;
  newer: Entry = this;
  older: Entry = this;

  constructor(key: string, state: unknown, expiresAt: number) {
    this.key = key;
    this.state = state;
    this.expiresAt = expiresAt;
  }
}

/**
 * States in this process's memory: lost when it ends, seen by no other process.
 *
 * An update runs its step at once, before the promise is given out, so that no two updates mix. Of more than `maxKeys` keys
 * the least recently used are evicted (LRU), which resets their limits: choose `maxKeys` above the number of keys that a client can
 * make up. An expired state is dropped when its key is next used, or when it has become the least recently used; no timer runs.
 *
 * @throws RangeError when `maxKeys` is not a whole number from 1 on
 */
export function memoryStore(settings: MemoryStoreSettings = {}): Store {
  requireKnown("memoryStore", settings, ["maxKeys", "clock"]);
  const { clock = () => Date.now() } = settings;
  const maxKeys = requirePositive("memoryStore: maxKeys", settings.maxKeys ?? 100_000);
  if (!Number.isInteger(maxKeys)) {
    throw new RangeError(`memoryStore: maxKeys must be a whole number, but is ${maxKeys}`);
  }
  const entries = new Map<string, Entry>();
  // Belongs to no key; stands between the most recently used entry (its `older`) and the least recently used (its `newer`).
  const ring = new Entry("", undefined, Number.POSITIVE_INFINITY);

  function drop(entry: Entry): void {
    entries.delete(entry.key);
    unlink(entry);
  }

  /** The entry of a key, which is the newest used from now on. */
  function use(key: string): Entry | undefined {
    const found = entries.get(key);
    if (found !== undefined && found !== ring.older) {
      unlink(found);
      linkAsNewest(ring, found);
    }
    return found;
  }

  function save(key: string, found: Entry | undefined, state: unknown, expiresAt: number, now: number): void {
    if (expiresAt <= now) {
      if (found !== undefined) drop(found);
      return;
    }
    if (found === undefined) {
      if (entries.size >= maxKeys || ring.newer.expiresAt <= now) drop(ring.newer);
      const entry = new Entry(key, state, expiresAt);
      entries.set(key, entry);
      linkAsNewest(ring, entry);
      return;
    }
    found.state = state;
    found.expiresAt = expiresAt;
  }

  function updateSync<S, R>(
    key: string,
    step: (state: S | undefined, now: number) => Update<S, R>,
    callersNow?: number,
  ): R {
    const now = callersNow ?? Math.floor(clock());
    const found = use(key);
    const state = stateOf<S>(found, now);
    const { result, next, expiresAt } = step(state, now);
    if (next !== undefined) save(key, found, next, expiresAt ?? Number.POSITIVE_INFINITY, now);
    return result;
  }

  return {
    updateSync,

    // Not an async function: each call of one allocates one more object, for its suspended state.
    update(key, step, callersNow) {
      try {
        return Promise.resolve(updateSync(key, step, callersNow));
      } catch (error) {
        return Promise.reject(error);
      }
    },

    updateMany<S, R>(keys: readonly string[], step: ManyStep<S, R>, callersNow?: number): Promise<R> {
      try {
        requireDistinct(keys);
        if (keys.length > maxKeys)
          throw new RangeError(`updateMany: ${keys.length} keys are more than maxKeys, which is ${maxKeys}`);
        const now = callersNow ?? Math.floor(clock());
        const { result, changes } = step(
          keys.map((key) => stateOf<S>(use(key), now)),
          now,
        );
        for (const [index, key] of keys.entries()) {
          const { next, expiresAt = Number.POSITIVE_INFINITY } = changes[index] ?? {};
          if (next !== undefined) save(key, entries.get(key), next, expiresAt, now);
        }
        return Promise.resolve(result);
      } catch (error) {
        return Promise.reject(error);
      }
    },
  };
}

/** The one cast here: only the caller knows that the state of a key is an S. */
function stateOf<S>(entry: Entry | undefined, now: number): S | undefined {
  return entry !== undefined && entry.expiresAt > now ? (entry.state as S) : undefined;
}

function unlink(entry: Entry): void {
  entry.newer.older = entry.older;
  entry.older.newer = entry.newer;
}

function linkAsNewest(ring: Entry, entry: Entry): void {
  entry.newer = ring;
  entry.older = ring.older;
  ring.older.newer = entry;
  ring.older = entry;
}
