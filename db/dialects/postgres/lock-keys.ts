/**
 * Lock keys, each a semaphore.
 * Of transactions that will wait for one another anyway, such as ratings of one post, only a few enter the
 * database at a time. Otherwise those that wait for a hot post would hold every connection, and no other could run.
 */
import { PostgresUnavailableError } from "./errors.ts";

/** One at work, and one that has begun by the time the first is done. */
const concurrency = 2;

interface LockQueue {
  running: number;
  waiting: Set<() => void>;
}

/**
 * Runs `work` when its key has room, first come, first served.
 * Rejects when that takes longer than this.
 */
export function createLockKeys(timeoutMs: number) {
  const queues = new Map<string, LockQueue>();

  function enter(key: string): Promise<void> | undefined {
    const queue = queues.get(key) ?? { running: 0, waiting: new Set() };
    queues.set(key, queue);
    if (queue.running < concurrency) {
      queue.running += 1;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const timeout = setTimeout(() => {
        queue.waiting.delete(begin);
        reject(new PostgresUnavailableError(`Other transactions had the same row for ${timeoutMs} ms`));
      }, timeoutMs);
      const begin = () => {
        clearTimeout(timeout);
        resolve();
      };
      queue.waiting.add(begin);
    });
  }

  function leave(key: string): void {
    const queue = queues.get(key);
    if (!queue) return;
    const [next] = queue.waiting;
    if (next) {
      // In the place of the one that leaves.
      queue.waiting.delete(next);
      next();
      return;
    }
    queue.running -= 1;
    if (queue.running === 0) queues.delete(key);
  }

  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    await enter(key);
    try {
      return await work();
    } finally {
      leave(key);
    }
  };
}
