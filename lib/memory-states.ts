/** Limiter states in this process's memory, for `LIMITER_STORE=memory`: fast, gone with the process, one process's own. */
import type { States } from "./guard.ts";
import { memoryStore } from "./limiter/index.ts";

/** The library's memory store as synchronous states: it runs an update's step before it hands out the promise. */
export function memoryStates(): States {
  const store = memoryStore();
  return {
    load(key, now) {
      let found: unknown;
      void store.update(
        key,
        (state: unknown) => {
          found = state;
          return { result: undefined };
        },
        now,
      );
      return found;
    },
    save(key, state, expiresAt, now) {
      void store.update(key, () => ({ result: undefined, next: state, expiresAt }), now);
    },
    remove(key) {
      void store.update(key, (_, now) => ({ result: undefined, next: null, expiresAt: now }));
    },
  };
}
