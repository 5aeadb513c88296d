/**
 * A queue for the one connection, with group commit: waiting writes share one.
 *
 * All writes of one turn of the event loop wait for its end, and are then executed one after the other, in order of
 * arrival. Writes that arrive meanwhile, for example during that commit, wait for the end of the next turn.
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

/** A commit's maximum number of writes, and the time after which no write joins. */
const writesPerCommit = 64;
const joinMaximumMs = 10;

/**
 * How long writes use the file before a pause of `restMs`.
 * SQLite's lock is not fair: without pauses a process that retries every `pauseMaximumMs` might never get it.
 */
const busyMaximumMs = 100;
const restMs = pauseMaximumMs;

/** The maximum number of writes that wait, for seconds; further ones are refused. */
const waitingMaximum = 1_000;

export interface QueuedWrite {
  /** Whether it waits while another process has locked the file. */
  waitsForLock: boolean;
  /** Whether it shares no commit. */
  isAlone: boolean;
  reject(error: unknown): void;
}

/** Executes `first`, and then those that `next` returns until there is none. */
type Execute<Write> = (first: Write, next: () => Write | undefined) => Promise<void>;

export interface QueueSettings {
  joinMaximumMs?: number | undefined;
}

export interface ConnectionQueue<Write> {
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

export function createConnectionQueue<Write extends QueuedWrite>(
  execute: Execute<Write>,
  { joinMaximumMs: joinMs = joinMaximumMs }: QueueSettings = {},
): ConnectionQueue<Write> {
  let waiting: Write[] = [];
  let reads: (() => void)[] = [];
  /** Settles when no write waits; undefined while there is none. */
  let running: Promise<void> | undefined;
  /** SQLite's error while the first write retries. */
  let locked: { error: unknown } | undefined;
  let beganAt = 0;
  let endedAt = 0;
  /** The writes' time on the file by `endedAt`, less ten times that of pauses. */
  let busyMs = 0;

  const busyMsAt = (now: number) => Math.max(0, busyMs - ((now - endedAt) * busyMaximumMs) / restMs);

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      await nextTurn();
      if (busyMsAt(performance.now()) >= busyMaximumMs) await sleep(restMs);
      await executeSome();
    }
    running = undefined;
  }

  /** Executes those that share a commit. */
  async function executeSome(): Promise<void> {
    const first = waiting.shift();
    if (!first) return;
    beganAt = performance.now();
    busyMs = busyMsAt(beganAt);
    const writes = [first];
    try {
      await execute(first, () => {
        const isFull = writes.length >= writesPerCommit || performance.now() - beganAt >= joinMs;
        const [next] = waiting;
        if (isFull || first.isAlone || !next || next.isAlone) return undefined;
        waiting.shift();
        writes.push(next);
        return next;
      });
    } catch (error) {
      // The writes behind them are executed all the same.
      for (const { reject } of writes) reject(error);
    }
    endedAt = performance.now();
    busyMs = Math.min(busyMs + endedAt - beganAt, 2 * busyMaximumMs);
    const some = reads;
    reads = [];
    for (const read of some) read();
  }

  function refuseImpatient(error: unknown): void {
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
            beganAt = performance.now();
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
          refuseImpatient(error);
          await sleep(Math.min(pauseMs, leftMs));
        }
      }
    },
  };
}
