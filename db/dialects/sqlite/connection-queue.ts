// Over 200 lines: waiting, pausing and giving up share one queue.

/**
 * A queue for the one connection: each task has it until its promise settles.
 *
 * When another process has locked the file, the first task retries and does not hold the connection meanwhile. The
 * tasks after it keep their order, and reads run at once.
 *
 * A long queue pauses: for one turn of the event loop, so that the thread answers other requests, and for some
 * milliseconds, so that other processes can lock the file. Reads run at the next pause at the latest.
 */
import { setImmediate } from "node:timers";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import Sqlite from "better-sqlite3";

/** The longest pause between two attempts; pauses double from 1 ms. */
const pauseMaximumMs = 10;

/** The longest time that tasks take within one turn of the event loop. */
const turnMs = 10;

/**
 * How long tasks use the file before a pause of `restMs`.
 * SQLite's lock is not fair: without pauses a process that retries every `pauseMaximumMs` might never get it.
 */
const busyMaximumMs = 100;
const restMs = pauseMaximumMs;

/** The maximum number of writes that wait, for seconds; further ones are refused. */
const waitingMaximum = 1_000;

export interface ConnectionQueue {
  /** Whether a task has the connection; a task that retries does not. */
  isTaken(): boolean;
  /**
   * Runs a task after those before it; at once when there are none.
   * Rejects with the error of a locked file when too many writes wait.
   */
  enqueue<T>(task: () => Promise<T>): Promise<T>;
  /** As `enqueue`, without the maximum. */
  enqueueLast<T>(task: () => Promise<T>): Promise<T>;
  /** As `enqueue`, but rejects with SQLite's error as soon as the file is locked. */
  enqueueUnlessLocked<T>(task: () => Promise<T>): Promise<T>;
  /**
   * Runs a read as soon as no task has the connection.
   * It runs before tasks that were enqueued earlier.
   */
  enqueueRead<T>(read: () => T): Promise<T>;
  /**
   * Retries `attempt` while another process has locked the file.
   * Only the task that has the connection may call it. Rejects with SQLite's error when the file is still locked at
   * `deadline`, a time of `performance.now()`.
   */
  untilUnlocked<T>(attempt: () => T, deadline: number): Promise<T>;
}

export function isBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith("SQLITE_BUSY");
}

export function createConnectionQueue(): ConnectionQueue {
  /** Settles when all tasks so far are done; undefined while there are none. */
  let tail: Promise<unknown> | undefined;
  /** SQLite's error while the first task retries. */
  let locked: { error: unknown } | undefined;
  let isResting = false;
  /** The number of writes that wait. */
  let waiting = 0;
  /** Called in order when the file is locked: tasks that then fail, and reads. */
  const onLocked = new Set<(error: unknown) => void>();
  /** Called in order when no task has the connection: reads. */
  const onFree = new Set<() => void>();
  /** The start of the first task in this turn of the event loop. */
  let turnBeganAt: number | undefined;
  let taskBeganAt = 0;
  let taskEndedAt = 0;
  /** The tasks' time on the file by `taskEndedAt`, less ten times that of pauses. */
  let busyMs = 0;

  const busyMsAt = (now: number) => Math.max(0, busyMs - ((now - taskEndedAt) * busyMaximumMs) / restMs);

  async function rest(pause: Promise<unknown>): Promise<void> {
    isResting = true;
    for (const settle of onFree) settle();
    await pause;
    isResting = false;
  }

  /** The pause before the next task, if one is due. */
  function pauseDue(): Promise<void> | undefined {
    const now = performance.now();
    if (busyMsAt(now) >= busyMaximumMs) return rest(sleep(restMs));
    if (turnBeganAt === undefined) {
      turnBeganAt = now;
      setImmediate(() => {
        turnBeganAt = undefined;
      });
      return undefined;
    }
    return now - turnBeganAt >= turnMs ? rest(nextTurn()) : undefined;
  }

  function begin<T>(task: () => Promise<T>): Promise<T> {
    taskBeganAt = performance.now();
    busyMs = busyMsAt(taskBeganAt);
    return task();
  }

  function end(): void {
    taskEndedAt = performance.now();
    busyMs = Math.min(busyMs + taskEndedAt - taskBeganAt, 2 * busyMaximumMs);
  }

  function enqueueLast<T>(task: () => Promise<T>): Promise<T> {
    const afterPause = () => pauseDue()?.then(() => begin(task)) ?? begin(task);
    const result = tail ? tail.then(afterPause) : afterPause();
    const done = result
      .catch(() => undefined)
      .then(() => {
        end();
        if (tail === done) tail = undefined;
      });
    tail = done;
    return result;
  }

  /** Counts a write as waiting until the returned function is called. */
  function countWaiting(): () => void {
    if (waiting >= waitingMaximum) throw new Sqlite.SqliteError("Too many writes wait", "SQLITE_BUSY");
    waiting += 1;
    return () => {
      waiting -= 1;
    };
  }

  /** Enqueues a task; `otherwise` replaces it when one of `early` calls back first. */
  function enqueueOr<T>(
    task: () => T | Promise<T>,
    otherwise: (error: unknown) => T,
    early: readonly Set<(error: unknown) => void>[],
  ): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    let isSettled = false;
    const settle = async (work: () => T | Promise<T>) => {
      isSettled = true;
      for (const callbacks of early) callbacks.delete(settleEarly);
      try {
        resolve(await work());
      } catch (error) {
        reject(error);
      }
    };
    const settleEarly = (error: unknown) => void settle(() => otherwise(error));
    for (const callbacks of early) callbacks.add(settleEarly);
    void enqueueLast(async () => {
      if (!isSettled) await settle(task);
    });
    return promise;
  }

  return {
    isTaken: () => tail !== undefined && !locked && !isResting,
    async enqueue(task) {
      const stopCounting = countWaiting();
      return enqueueLast(() => {
        stopCounting();
        return task();
      });
    },
    enqueueLast,
    async enqueueUnlessLocked(task) {
      if (locked) throw locked.error;
      const stopCounting = countWaiting();
      return enqueueOr(
        () => {
          stopCounting();
          return task();
        },
        (error) => {
          stopCounting();
          throw error;
        },
        [onLocked],
      );
    },
    enqueueRead: (read) => enqueueOr(read, read, [onLocked, onFree]),
    async untilUnlocked(attempt, deadline) {
      for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, pauseMaximumMs)) {
        try {
          const result = attempt();
          if (locked) {
            // Another process had the file meanwhile.
            busyMs = 0;
            taskBeganAt = performance.now();
          }
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
