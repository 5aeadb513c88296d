/**
 * One connection behind a mutex.
 *
 * A transaction has it until it ends, and other callers' statements wait for that. A transaction's own statements are
 * recognised by their asynchronous context.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Database as Sqlite, Statement } from "better-sqlite3";
import type { Session } from "../../dialect.ts";

/** How long SQLite waits for other processes' write locks. */
export const busyTimeoutMs = 5_000;

export interface SqliteSession extends Session {
  /**
   * Runs one statement and resolves to its rows, each an array.
   * It is prepared at its first use.
   */
  run(text: string, values: readonly unknown[]): Promise<unknown[][]>;
  /** Runs synchronous work on the connection. */
  synchronously<T>(work: () => T): Promise<T>;
}

export function createSession(sqlite: Sqlite): SqliteSession {
  const current = new AsyncLocalStorage<{ isOver: boolean }>();
  const mutex = createConnectionMutex();
  const statements = new Map<string, Statement<unknown[], unknown[]>>();
  const begin = sqlite.prepare("begin immediate");
  const commit = sqlite.prepare("commit");
  const rollback = sqlite.prepare("rollback");
  const savepoint = sqlite.prepare("savepoint nested");
  const release = sqlite.prepare("release nested");
  const rollbackToSavepoint = sqlite.prepare("rollback to nested");

  function isInTransaction(): boolean {
    return current.getStore()?.isOver === false;
  }

  function runNow(text: string, values: readonly unknown[]): unknown[][] {
    let statement = statements.get(text);
    if (!statement) {
      statement = sqlite.prepare<unknown[], unknown[]>(text);
      if (statement.reader) statement.raw();
      statements.set(text, statement);
    }
    if (statement.reader) return statement.all(...values);
    statement.run(...values);
    return [];
  }

  async function synchronously<T>(work: () => T): Promise<T> {
    return mutex.isLocked() && !isInTransaction() ? mutex.enqueue(async () => work()) : work();
  }

  async function outermost<T>(work: () => Promise<T>, waits: boolean): Promise<T> {
    if (!waits) sqlite.pragma("busy_timeout = 0");
    try {
      begin.run();
    } finally {
      if (!waits) sqlite.pragma(`busy_timeout = ${busyTimeoutMs}`);
    }
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

  function transaction<T>(work: () => Promise<T>, waits: boolean): Promise<T> {
    return isInTransaction() ? nested(work) : mutex.enqueue(() => outermost(work, waits));
  }

  return {
    run: (text, values) => synchronously(() => runNow(text, values)),
    synchronously,
    isInTransaction,
    transaction: (work) => transaction(work, true),
    transactionNow: (work) => transaction(work, false),
    runUnawaited: async (work) => void (await work()),
  };
}

/** A queue for the one connection: each task has it until its promise settles. */
function createConnectionMutex() {
  /** Settles when every task so far is done; undefined while the connection is free. */
  let tail: Promise<unknown> | undefined;
  return {
    isLocked: () => tail !== undefined,
    /** Runs a task at once when the connection is free, or after those before it. */
    enqueue<T>(task: () => Promise<T>): Promise<T> {
      const result = tail ? tail.then(task) : task();
      const done = result
        .catch(() => undefined)
        .then(() => {
          if (tail === done) tail = undefined;
        });
      tail = done;
      return result;
    },
  };
}
