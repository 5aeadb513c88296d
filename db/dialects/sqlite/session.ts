// Over 200 lines: transactions, savepoints and single statements share the state of one connection.

/**
 * One connection behind a queue.
 *
 * Transactions that wait together share a commit (`../../group-commit.ts`), also when SQLite ends one by itself (on a
 * full disk, for one). A single statement that writes is such a transaction.
 *
 * Other callers' reads wait until the transaction has ended. A transaction's own statements are recognised by their
 * asynchronous context.
 *
 * Only one process at a time can write to the file. A write that finds it locked is tried again later, in order: SQLite
 * itself would wait on the thread that answers all requests. Reads continue meanwhile.
 */
import { AsyncResource } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import Sqlite, { type Statement } from "better-sqlite3";
import type { DatabaseSession } from "../../dialect.ts";
import { commitTogether, type GroupCommitParts, type Member } from "../../group-commit.ts";
import { createTransactionContexts, type TransactionContext } from "../../transaction-contexts.ts";
import { createConnectionQueue, isBusy, type QueuedWrite } from "./connection-queue.ts";

/** How long a write waits for other processes' locks, its queue time included. */
export const lockTimeoutMs = 5_000;

/**
 * How long a transaction's work may take before it is rolled back and refused.
 * All others wait for it, and SQLite's statements take no turn of the event loop: work that awaits nothing else never
 * takes so long.
 */
const workMaximumMs = 5_000;

/**
 * The time between two attempts to read a file that is being recovered.
 * Another process recovers it after a crash.
 */
const readAgainMs = 5;

export interface SqliteSession extends DatabaseSession {
  /**
   * Runs one statement and resolves to its rows, each an array.
   * It is prepared at its first use.
   */
  run(text: string, values: readonly unknown[]): Promise<unknown[][]>;
  /** Runs synchronous work that only reads. */
  read<T>(work: () => T): Promise<T>;
  /** Runs synchronous work that may write, in a transaction. */
  write<T>(work: () => T): Promise<T>;
  /** Closes the connection after the work that waits for it. */
  close(): Promise<void>;
}

export interface SessionSettings {
  lockTimeoutMs?: number | undefined;
  workMaximumMs?: number | undefined;
  joinWindowMs?: number | undefined;
}

/** A transaction that waits for its turn. */
interface Write extends QueuedWrite, Member {
  /** A time of `performance.now()`. */
  giveUpAt: number;
}

/** `sqlite` must not wait for locks by itself: its busy timeout is 0. */
export function createSession(
  sqlite: Sqlite.Database,
  {
    lockTimeoutMs: timeoutMs = lockTimeoutMs,
    workMaximumMs: workMs = workMaximumMs,
    joinWindowMs = 10,
  }: SessionSettings = {},
): SqliteSession {
  const contexts = createTransactionContexts<TransactionContext>();
  const queue = createConnectionQueue<Write>(execute);
  const statements = new Map<string, Statement<unknown[], unknown[]>>();
  const begin = sqlite.prepare("begin immediate");
  const commit = sqlite.prepare("commit");
  const rollback = sqlite.prepare("rollback");
  const savepointOf = (name: string) => ({
    begin: sqlite.prepare(`savepoint ${name}`),
    release: sqlite.prepare(`release ${name}`),
    rollback: sqlite.prepare(`rollback to ${name}`),
  });
  const [sharing, nesting] = [savepointOf("sharing"), savepointOf("nested")];
  const workLimit = {
    maximumMs: workMs,
    error: () => new Sqlite.SqliteError("The work of a transaction has not ended in time", "SQLITE_BUSY"),
  };
  /** Whether a transaction is open on the connection. */
  let isOpen = false;
  let isClosing = false;

  const deadline = () => performance.now() + timeoutMs;

  const parts: GroupCommitParts<Write> = {
    membersMaximum: 64,
    joinWindowMs,
    async transaction(first, work) {
      try {
        await queue.untilUnlocked(() => {
          if (sqlite.inTransaction) rollback.run();
          begin.run();
          isOpen = true;
        }, first.giveUpAt);
        await work();
        commit.run();
      } catch (error) {
        // A full disk, for one, has ended the transaction already.
        if (sqlite.inTransaction) rollBackAfter(error);
        throw error;
      } finally {
        isOpen = false;
      }
    },
    beginSavepoint: () => void sharing.begin.run(),
    releaseSavepoint: () => void sharing.release.run(),
    rollBackToSavepoint: (error) => rollBackTo(sharing, error),
    isRetried: () => false,
    isUnsaved: () => true,
  };

  async function execute(first: Write, next: () => Write | undefined): Promise<void> {
    queue.addAgain(await commitTogether(first, next, parts));
  }

  /** Keeps `error` as the cause when the rollback fails, which is tried again later. */
  function rollBackAfter(error: unknown): void {
    try {
      rollback.run();
    } catch {
      throw error;
    }
  }

  function rollBackTo(savepoint: typeof nesting, error: unknown): void {
    if (!sqlite.inTransaction) throw error;
    savepoint.rollback.run();
    savepoint.release.run();
  }

  /** Once SQLite has ended the transaction, a statement would be saved by itself. */
  function runWithin<T>(transaction: TransactionContext, work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!sqlite.inTransaction) transaction.refusal = { error };
      throw error;
    }
  }

  function prepared(text: string): Statement<unknown[], unknown[]> {
    let statement = statements.get(text);
    if (!statement) {
      // A plus sign, as for `Dialect.opaque`.
      statement = sqlite.prepare<unknown[], unknown[]>(text.replaceAll(" limit ?", " limit +?"));
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
    return statement.readonly ? read(work) : write(work);
  }

  async function read<T>(work: () => T): Promise<T> {
    const transaction = contexts.current();
    if (transaction) return runWithin(transaction, work);
    let giveUpAt: number | undefined;
    for (;;) {
      try {
        return isOpen ? await readAfterwards(work) : work();
      } catch (error) {
        giveUpAt ??= deadline();
        if (!isBusy(error) || performance.now() >= giveUpAt) throw error;
      }
      await sleep(readAgainMs);
    }
  }

  function readAfterwards<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      queue.addRead(() => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  async function write<T>(work: () => T): Promise<T> {
    const transaction = contexts.current();
    return transaction ? runWithin(transaction, work) : enqueue(() => write(work), { waitsForLock: true });
  }

  function enqueue<T>(work: () => Promise<T>, { waitsForLock }: { waitsForLock: boolean }): Promise<T> {
    return new Promise((resolve, reject) => {
      if (isClosing) throw new TypeError("The database connection is not open");
      // `AsyncLocalStorage.snapshot` does the same, more slowly.
      const caller = new AsyncResource("transaction");
      queue.add({
        giveUpAt: waitsForLock ? deadline() : 0,
        waitsForLock,
        reject,
        async run() {
          const transaction = { isOver: false };
          const result = await caller.runInAsyncScope(() => contexts.run(transaction, work, workLimit));
          return () => resolve(result);
        },
      });
    });
  }

  async function nested<T>(around: TransactionContext, work: () => Promise<T>): Promise<T> {
    const transaction: TransactionContext = { isOver: false };
    return contexts.nest(around, transaction, async () => {
      nesting.begin.run();
      try {
        const result = await contexts.run(transaction, work);
        if (transaction.refusal) throw transaction.refusal.error;
        nesting.release.run();
        return result;
      } catch (error) {
        if (!sqlite.inTransaction) around.refusal = { error };
        // When the transaction around it has ended, the savepoint of this name is another caller's.
        if (!transaction.refusal) rollBackTo(nesting, error);
        throw error;
      }
    });
  }

  async function transaction<T>(work: () => Promise<T>, waitsForLock: boolean): Promise<T> {
    const around = contexts.current();
    return around ? nested(around, work) : enqueue(work, { waitsForLock });
  }

  async function close(): Promise<void> {
    isClosing = true;
    await queue.untilIdle();
    await queue.untilUnlocked(() => void sqlite.close(), deadline());
  }

  return {
    run,
    read,
    write,
    close,
    isInTransaction: () => contexts.current() !== undefined,
    transaction: (work) => transaction(work, true),
    transactionNow: (work) => transaction(work, false),
    rowWriter:
      ({ statement }) =>
      async (row) =>
        void (await statement.execute(row)),
    readRows: (_, work) => work(),
    lockedValues: () => () => new Map(),
  };
}
