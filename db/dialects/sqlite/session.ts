/**
 * One connection behind a queue.
 *
 * A transaction has it until it ends, and other callers' statements wait for that. A transaction's own statements are
 * recognised by their asynchronous context.
 *
 * Only one process at a time can write to the file. A write that finds it locked is tried again later, in order: SQLite
 * itself would wait on the thread that answers all requests. Reads go on meanwhile.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database as Sqlite, Statement } from "better-sqlite3";
import type { Session } from "../../dialect.ts";
import { createConnectionQueue, isBusy } from "./connection-queue.ts";

/** How long a write waits for other processes' locks, its queue time included. */
export const lockTimeoutMs = 5_000;

/**
 * The time between two attempts to read a file that is being recovered.
 * Another process recovers it after a crash.
 */
const readAgainMs = 5;

export interface SqliteSession extends Session {
  /**
   * Runs one statement and resolves to its rows, each an array.
   * It is prepared at its first use.
   */
  run(text: string, values: readonly unknown[]): Promise<unknown[][]>;
  /** Runs synchronous work that only reads. */
  read<T>(work: () => T): Promise<T>;
  /**
   * Runs synchronous work that may write.
   * Outside a transaction it is repeated from its beginning while the file is locked.
   */
  write<T>(work: () => T): Promise<T>;
  /** Closes the connection after the work that waits for it. */
  close(): Promise<void>;
}

export interface SessionSettings {
  lockTimeoutMs?: number | undefined;
}

/** `sqlite` must not wait for locks by itself: its busy timeout is 0. */
export function createSession(
  sqlite: Sqlite,
  { lockTimeoutMs: timeoutMs = lockTimeoutMs }: SessionSettings = {},
): SqliteSession {
  const current = new AsyncLocalStorage<{ isOver: boolean }>();
  const queue = createConnectionQueue();
  const statements = new Map<string, Statement<unknown[], unknown[]>>();
  const begin = sqlite.prepare("begin immediate");
  const commit = sqlite.prepare("commit");
  const rollback = sqlite.prepare("rollback");
  const savepoint = sqlite.prepare("savepoint nested");
  const release = sqlite.prepare("release nested");
  const rollbackToSavepoint = sqlite.prepare("rollback to nested");

  const deadline = () => performance.now() + timeoutMs;

  function isInTransaction(): boolean {
    return current.getStore()?.isOver === false;
  }

  function prepared(text: string): Statement<unknown[], unknown[]> {
    let statement = statements.get(text);
    if (!statement) {
      statement = sqlite.prepare<unknown[], unknown[]>(text);
      if (statement.reader) statement.raw();
      statements.set(text, statement);
    }
    return statement;
  }

  async function run(text: string, values: readonly unknown[]): Promise<unknown[][]> {
    const statement = prepared(text);
    const work = () => {
      if (statement.reader) return statement.all(...values);
      statement.run(...values);
      return [];
    };
    if (isInTransaction()) return work();
    return statement.readonly ? read(work) : write(work);
  }

  async function read<T>(work: () => T): Promise<T> {
    if (isInTransaction()) return work();
    let giveUpAt: number | undefined;
    for (;;) {
      try {
        return queue.isTaken() ? await queue.enqueueRead(work) : work();
      } catch (error) {
        giveUpAt ??= deadline();
        if (!isBusy(error) || performance.now() >= giveUpAt) throw error;
      }
      await sleep(readAgainMs);
    }
  }

  async function write<T>(work: () => T): Promise<T> {
    if (isInTransaction()) return work();
    const giveUpAt = deadline();
    return queue.enqueue(() => queue.untilUnlocked(work, giveUpAt));
  }

  async function outermost<T>(work: () => Promise<T>, giveUpAt: number): Promise<T> {
    await queue.untilUnlocked(() => begin.run(), giveUpAt);
    const state = { isOver: false };
    try {
      const result = await current.run(state, work);
      commit.run();
      return result;
    } catch (error) {
      // A full disk, for one, has ended the transaction already.
      if (sqlite.inTransaction) rollback.run();
      throw error;
    } finally {
      state.isOver = true;
    }
  }

  async function nested<T>(work: () => Promise<T>): Promise<T> {
    savepoint.run();
    try {
      const result = await work();
      release.run();
      return result;
    } catch (error) {
      if (sqlite.inTransaction) {
        rollbackToSavepoint.run();
        release.run();
      }
      throw error;
    }
  }

  function transaction<T>(work: () => Promise<T>): Promise<T> {
    if (isInTransaction()) return nested(work);
    const giveUpAt = deadline();
    return queue.enqueue(() => outermost(work, giveUpAt));
  }

  function transactionNow<T>(work: () => Promise<T>): Promise<T> {
    if (isInTransaction()) return nested(work);
    return queue.enqueueUnlessLocked(() => outermost(work, 0));
  }

  function close(): Promise<void> {
    const giveUpAt = deadline();
    return queue.enqueueLast(() => queue.untilUnlocked(() => void sqlite.close(), giveUpAt));
  }

  return {
    run,
    read,
    write,
    close,
    isInTransaction,
    transaction,
    transactionNow,
    runUnawaited: async (work) => void (await work()),
  };
}
