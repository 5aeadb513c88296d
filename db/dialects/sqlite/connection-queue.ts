/**
 * The queue for the one connection: each task has it until its promise settles.
 *
 * The first task may find that another process has locked the file. Then it waits without the connection, the tasks
 * behind it keep their order, and those that need no lock do not wait.
 *
 * A long queue pauses now and then: for one turn of the event loop, so that the thread answers other requests, and for
 * some milliseconds, so that other processes find the file free. Reads do not wait beyond the next pause.
 */
import { setImmediate } from "node:timers";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import Sqlite from "better-sqlite3";

/** The pauses between two attempts double up to this. */
const pauseMaximumMs = 10;

/** How long tasks follow one another within one turn of the event loop. */
const turnMs = 10;

/**
 * How long the file is in use before it is left to other processes for `restMs`.
 * SQLite's lock is not fair: a process that tries every `pauseMaximumMs` might never find it free otherwise.
 */
const busyMaximumMs = 100;
const restMs = pauseMaximumMs;

/** More writes than this do not wait, but are refused. They take seconds as it is. */
const waitingMaximum = 1_000;

export interface ConnectionQueue {
  /** Whether a task has the connection; one that waits for another process has not. */
  isTaken(): boolean;
  /**
   * Runs a task at once when the connection is free, or after those before it.
   * Rejects as a locked file does when too many writes wait.
   */
  enqueue<T>(task: () => Promise<T>): Promise<T>;
  /** As `enqueue`, but however many wait. */
  enqueueLast<T>(task: () => Promise<T>): Promise<T>;
  /** As `enqueue`, but rejects with SQLite's error at once when the file is locked. */
  enqueueUnlessLocked<T>(task: () => Promise<T>): Promise<T>;
  /** Runs a read after the tasks before it, or as soon as the connection is free. */
  enqueueRead<T>(read: () => T): Promise<T>;
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
  let isResting = false;
  /** Writes that wait behind others. */
  let waiting = 0;
  /** Called, in order, when the file is locked: reads and tasks that do not wait. */
  const onLocked = new Set<(error: unknown) => void>();
  /** Called, in order, when no task has the connection: reads. */
  const onFree = new Set<() => void>();
  /** When the first task of this turn of the event loop began. */
  let turnBeganAt: number | undefined;
  let taskBeganAt = 0;
  let taskEndedAt = 0;
  /** How long tasks had the connection at `taskEndedAt`, minus the pauses since. */
  let busyMs = 0;

  /** A pause makes up for ten times its length. */
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

  /** Counts a waiting write, until the returned function is called. */
  function join(): () => void {
    if (waiting >= waitingMaximum) throw new Sqlite.SqliteError("Too many writes wait", "SQLITE_BUSY");
    waiting += 1;
    return () => {
      waiting -= 1;
    };
  }

  /** Enqueues a task that `otherwise` replaces when `early` calls it before. */
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
      const leave = join();
      return enqueueLast(() => {
        leave();
        return task();
      });
    },
    enqueueLast,
    async enqueueUnlessLocked(task) {
      if (locked) throw locked.error;
      const leave = join();
      return enqueueOr(
        () => {
          leave();
          return task();
        },
        (error) => {
          leave();
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
