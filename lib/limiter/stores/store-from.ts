import type { Store, Update } from "../types.ts";

/** A store whose `update` is its `updateMany` of one key. */
export function storeFrom(updateMany: Store["updateMany"]): Store {
  return {
    updateMany,
    update<S, R>(key: string, step: (state: S | undefined, now: number) => Update<S, R>, now?: number) {
      const stepOfOne = ([state]: readonly (S | undefined)[], at: number) => {
        const { result, ...change } = step(state, at);
        return { result, changes: [change] };
      };
      return updateMany<S, R>([key], stepOfOne, now);
    },
  };
}
