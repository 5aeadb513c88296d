/**
 * The queue for the one connection: each task has it until its promise settles.
 *
 * The first task may find that another process has locked the file. Then it waits without the connection, the tasks
 * behind it keep their order, and those that need no lock do not wait.
 */
import { setTimeout as sleep } from "node:timers/promises";
import Sqlite from "better-sqlite3";

/** The pauses between two attempts double up to this. */
const pauseMaximumMs = 10;

export interface ConnectionQueue {
  /** Whether a task has the connection; one that waits for another process has not. */
  isTaken(): boolean;
  /** Runs a task at once when the connection is free, or after those before it. */
  enqueue<T>(task: () => Promise<T>): Promise<T>;
  /** As `enqueue`, but runs `otherwise` at once when the file is found locked. */
  enqueueUnlessLocked<T>(task: () => T | Promise<T>, otherwise: (error: unknown) => T): Promise<T>;
  /**
   * Repeats `attempt` while another process has locked the file.
   * Only the task that has the connection may call it. Rejects with SQLite's error when the file is still locked at
   * `deadline`, by `performance.now()`.
   */
  untilUnlocked<T>(attempt: () => T, deadline: number): Promise<T>;
}

export function isBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith("SQLITE_BUSY");
}

export function createConnectionQueue(): ConnectionQueue {
  /** Settles when every task so far is done; undefined while there is none. */
  let tail: Promise<unknown> | undefined;
  /** SQLite's error while the first task waits for another process. */
  let locked: { error: unknown } | undefined;
  /** Called, in order, when the file is found locked. */
  const onLocked = new Set<(error: unknown) => void>();

  function enqueue<T>(task: () => Promise<T>): Promise<T> {
    const result = tail ? tail.then(task) : task();
    const done = result
      .catch(() => undefined)
      .then(() => {
        if (tail === done) tail = undefined;
      });
    tail = done;
    return result;
  }

  return {
    isTaken: () => tail !== undefined && !locked,
    enqueue,
    enqueueUnlessLocked<T>(task: () => T | Promise<T>, otherwise: (error: unknown) => T): Promise<T> {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const settle = async (work: () => T | Promise<T>) => {
        onLocked.delete(settleLocked);
        try {
          resolve(await work());
        } catch (error) {
          reject(error);
        }
      };
      const settleLocked = (error: unknown) => void settle(() => otherwise(error));
      if (locked) {
        settleLocked(locked.error);
        return promise;
      }
      onLocked.add(settleLocked);
      void enqueue(async () => {
        if (onLocked.has(settleLocked)) await settle(task);
      });
      return promise;
    },
    async untilUnlocked(attempt, deadline) {
      for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, pauseMaximumMs)) {
        try {
          const result = attempt();
          locked = undefined;
          return result;
        } catch (error) {
          const leftMs = deadline - performance.now();
          if (!isBusy(error) || leftMs <= 0) {
            locked = undefined;
            throw error;
          }
          locked = { error };
          for (const settle of onLocked) settle(error);
          await sleep(Math.min(pauseMs, leftMs));
        }
      }
    },
  };
}
