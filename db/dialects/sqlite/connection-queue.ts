/**
 * A queue for the one connection, in order of arrival.
 *
 * Writes that wait together are executed together. A write that comes alone begins at once. When more come, those of
 * one turn of the event loop wait for its end; writes that arrive meanwhile, for example during a commit, wait for the
 * end of the next turn.
 *
 * When another process has locked the file, the first write retries and does not hold the connection meanwhile. The
 * writes after it keep their order, and reads run at once.
 *
 * The queue pauses: for a turn of the event loop after each commit, so that the thread answers other requests, and for
 * some milliseconds, so that other processes can lock the file. Reads run at the next pause at the latest.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import Sqlite from "better-sqlite3";

/** The longest pause between two attempts; pauses double from 1 ms. */
const pauseMaximumMs = 10;

/**
 * How long writes use the file before a pause of `restMs`.
 * SQLite's lock is not fair: without pauses a process that retries every `pauseMaximumMs` might never get it.
 */
const busyMaximumMs = 100;
const restMs = pauseMaximumMs;

/**
 * How long writes of one turn of the event loop begin at once.
 * Writes that follow wait for its end.
 */
const atOnceMs = 2;

/** The maximum number of writes that wait, for seconds; further ones are refused. */
const waitingMaximum = 1_000;

export interface QueuedWrite {
  /** Whether it waits while another process has locked the file. */
  waitsForLock: boolean;
  /** Whether it shares no commit. */
  isAlone?: boolean | undefined;
  reject(error: unknown): void;
}

/** Executes `first`, and then those that `next` returns until there is none. */
type Execute<Write> = (first: Write, next: () => Write | undefined) => Promise<void>;

interface ConnectionQueue<Write> {
  /**
   * Adds a write behind the others.
   * Throws the error of a locked file when too many wait, or when it does not wait for the lock.
   */
  add(write: Write): void;
  /** Adds writes before all others. */
  addAgain(writes: readonly Write[]): void;
  /**
   * Runs a read when the writes that are being executed have ended.
   * It runs before the writes that wait.
   */
  addRead(read: () => void): void;
  /** Resolves when no write waits. */
  untilIdle(): Promise<void>;
  /**
   * Retries `attempt` while another process has locked the file.
   * Only the write that is being executed may call it. Rejects with SQLite's error when the file is still locked at
   * `deadline`, a time of `performance.now()`.
   */
  untilUnlocked<T>(attempt: () => T, deadline: number): Promise<T>;
}

export function isBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith("SQLITE_BUSY");
}

/** A monotonic time in milliseconds, and pauses. */
interface QueueClock {
  now(): number;
  sleep(ms: number): Promise<unknown>;
}

const realClock: QueueClock = { now: () => performance.now(), sleep };

export function createConnectionQueue<Write extends QueuedWrite>(
  execute: Execute<Write>,
  { now, sleep }: QueueClock = realClock,
): ConnectionQueue<Write> {
  let waiting: Write[] = [];
  let reads: (() => void)[] = [];
  /** Settles when no write waits; undefined while there is none. */
  let running: Promise<void> | undefined;
  /** SQLite's error while the first write retries. */
  let locked: { error: unknown } | undefined;
  /** When the first write of this turn of the event loop began. */
  let turnBeganAt: number | undefined;
  /** Whether the last writes were executed together: more will come in this turn. */
  let wasShared = false;
  let beganAt = 0;
  let endedAt = 0;
  /** The writes' time on the file by `endedAt`, less ten times that of pauses. */
  let busyMs = 0;

  const busyMsAt = (at: number) => Math.max(0, busyMs - ((at - endedAt) * busyMaximumMs) / restMs);

  function beginsAtOnce(): boolean {
    if (wasShared) return false;
    if (turnBeganAt !== undefined) return now() - turnBeganAt < atOnceMs;
    turnBeganAt = now();
    setImmediate(() => {
      turnBeganAt = undefined;
    });
    return true;
  }

  async function run(): Promise<void> {
    for (let waits = !beginsAtOnce(); waiting.length > 0; waits = true) {
      if (waits) await nextTurn();
      if (busyMsAt(now()) >= busyMaximumMs) await sleep(restMs);
      await executeSome();
    }
    running = undefined;
  }

  /** Executes those that share a commit. */
  async function executeSome(): Promise<void> {
    const first = waiting.shift();
    if (!first) return;
    beganAt = now();
    busyMs = busyMsAt(beganAt);
    const writes = [first];
    try {
      await execute(first, () => {
        const [next] = waiting;
        if (!next || next.isAlone) return undefined;
        waiting.shift();
        writes.push(next);
        return next;
      });
    } catch (error) {
      // The writes behind them are executed all the same.
      for (const { reject } of writes) reject(error);
    }
    wasShared = writes.length > 1;
    endedAt = now();
    busyMs = Math.min(busyMs + endedAt - beganAt, 2 * busyMaximumMs);
    const some = reads;
    reads = [];
    for (const read of some) read();
  }

  function rejectUnlessWaiting(error: unknown): void {
    const refused = waiting.filter(({ waitsForLock }) => !waitsForLock);
    waiting = waiting.filter(({ waitsForLock }) => waitsForLock);
    for (const { reject } of refused) reject(error);
  }

  return {
    add(write) {
      if (locked && !write.waitsForLock) throw locked.error;
      if (waiting.length >= waitingMaximum)
        throw new Sqlite.SqliteError("Too many writes wait", "SQLITE_BUSY");
      waiting.push(write);
      running ??= run();
    },
    addAgain: (writes) => void waiting.unshift(...writes),
    addRead: (read) => void reads.push(read),
    untilIdle: async () => running,
    async untilUnlocked(attempt, deadline) {
      for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, pauseMaximumMs)) {
        try {
          const result = attempt();
          if (locked) {
            // Another process had the file meanwhile.
            busyMs = 0;
            beganAt = now();
          }
          locked = undefined;
          return result;
        } catch (error) {
          const leftMs = deadline - now();
          if (!isBusy(error) || leftMs <= 0) {
            locked = undefined;
            throw error;
          }
          locked = { error };
          rejectUnlessWaiting(error);
          await sleep(Math.min(pauseMs, leftMs));
        }
      }
    },
  };
}
