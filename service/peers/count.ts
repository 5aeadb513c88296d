/** Counts another service's event in this service's own state, silently. */
import type { Algorithm, Store } from "../../lib/limiter/index.ts";
import type { PeerEvent } from "./message.ts";

/**
 * Counts another service's event; a grant counts whether it fits or not.
 * An event of a window that has ended does not affect the next one, by the times of both services' clocks.
 *
 * Rejects when the store fails, or the algorithm cannot take such a cost.
 */
export function countPeerEvent(
  store: Store,
  algorithm: Algorithm<unknown>,
  { kind, key, cost, at }: PeerEvent,
): Promise<void> {
  return store.update(key, (state: unknown, now) => {
    const isOver = algorithm.count?.(undefined, now, cost, at) === undefined;
    if (isOver) return { result: undefined };
    switch (kind) {
      case "consume":
        return { result: undefined, ...algorithm.count?.(state, now, cost, at) };
      case "refund":
        return {
          result: undefined,
          ...(state === undefined ? undefined : algorithm.refund?.(state, now, cost)),
        };
      case "reset":
        return { result: undefined, next: state, expiresAt: now };
    }
  });
}
