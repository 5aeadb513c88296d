import { requirePositive } from "../settings.ts";
import type { Clock, Store, Update } from "../types.ts";

/** `maxKeys`: how many keys are kept at most, 100,000 unless told. `clock`: read when an update brings no time. */
export type MemoryStoreSettings = { maxKeys?: number; clock?: Clock };

type Entry = { key: string; state: unknown; expiresAt: number };

/**
 * States in this process's memory, lost when it ends and seen by no other process.
 */
export function memoryStore({
  maxKeys = 100_000,
  clock = () => Date.now(),
}: MemoryStoreSettings = {}): Store {
  requirePositive("memoryStore: maxKeys", maxKeys);
  const entries = new Map<string, Entry>();

  return {
    async update<S, R>(
      key: string,
      step: (state: S | undefined, now: number) => Update<S, R>,
      now = clock(),
    ): Promise<R> {
      const entry = entries.get(key);
      const live = entry !== undefined && entry.expiresAt > now;
      // The store hands back what was saved under the key; whether that is an S only its caller can know.
      const {
        result,
        next,
        expiresAt = Number.POSITIVE_INFINITY,
      } = step(live ? (entry.state as S) : undefined, now);
      if (next === undefined) return result;
      entries.delete(key);
      if (expiresAt > now) entries.set(key, { key, state: next, expiresAt });
      if (entries.size > maxKeys)
        for (const oldest of entries.keys()) {
          entries.delete(oldest);
          break;
        }
      return result;
    },
  };
}
