/** A load that runs while a test disturbs the cluster. */
import { onTestFinished } from "vitest";

export interface Load {
  /**
   * Resolves when this many more turns have ended.
   * Rejects with a failed turn's error.
   */
  turns(count: number): Promise<void>;
  /**
   * Lets the turns that have begun end, and begins no more.
   * Rejects with a failed turn's error.
   */
  stop(): Promise<void>;
}

/** Runs numbered turns on this many workers at once, at most until the test ends. */
export function startLoad(workers: number, turn: (number: number) => Promise<void>): Load {
  let next = 0;
  let ended = 0;
  let isStopped = false;
  const awaited = new Set<{ at: number; resolve: () => void }>();
  const all = Promise.all(
    Array.from({ length: workers }, async () => {
      while (!isStopped) {
        next += 1;
        await turn(next - 1);
        ended += 1;
        for (const waiter of awaited) if (ended >= waiter.at) waiter.resolve();
      }
    }),
  );
  const end = () => {
    isStopped = true;
  };
  onTestFinished(end);
  // `turns` and `stop` pass the error on.
  all.catch(end);
  return {
    async turns(count) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const waiter = { at: ended + count, resolve };
      awaited.add(waiter);
      await Promise.race([promise, all]);
      awaited.delete(waiter);
    },
    async stop() {
      end();
      await all;
    },
  };
}
