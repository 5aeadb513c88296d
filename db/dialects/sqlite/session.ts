// Over 200 lines: transactions, savepoints and single statements share the state of one connection.

/**
 * One connection behind a queue.
 *
 * Transactions that wait together share a commit: the first begins one, and the others run after it in savepoints of
 * their own, so that each sees the changes of those before it and may fail alone. None is answered before the commit.
 * When that fails, or SQLite ends the transaction by itself (on a full disk, for one), each runs again in a transaction
 * of its own. A single statement that writes is such a transaction.
 *
 * Other callers' reads wait until the transaction has ended. A transaction's own statements are recognised by their
 * asynchronous context.
 *
 * Only one process at a time can write to the file. A write that finds it locked is tried again later, in order: SQLite
 * itself would wait on the thread that answers all requests. Reads go on meanwhile.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database as Sqlite, Statement } from "better-sqlite3";
import type { Session } from "../../dialect.ts";
import { createConnectionQueue, isBusy, type QueuedWrite, type QueueSettings } from "./connection-queue.ts";

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
  /** Runs synchronous work that may write, in a transaction. */
  write<T>(work: () => T): Promise<T>;
  /** Closes the connection after the work that waits for it. */
  close(): Promise<void>;
}

export interface SessionSettings extends QueueSettings {
  lockTimeoutMs?: number | undefined;
}

/** A transaction that waits for its turn. */
interface Write extends QueuedWrite {
  /** A time of `performance.now()`. */
  giveUpAt: number;
  /** Runs its work; returns a function that answers its caller. */
  run(): Promise<() => void>;
}

/** The context of a transaction's statements. */
interface Transaction {
  isOver: boolean;
  /** The error with which SQLite ended and rolled back the transaction. */
  endedBy?: { error: unknown };
}

/** `sqlite` must not wait for locks by itself: its busy timeout is 0. */
export function createSession(
  sqlite: Sqlite,
  { lockTimeoutMs: timeoutMs = lockTimeoutMs, ...queueSettings }: SessionSettings = {},
): SqliteSession {
  const current = new AsyncLocalStorage<Transaction>();
  const queue = createConnectionQueue<Write>(commitTogether, queueSettings);
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
  /** Whether a transaction is open on the connection. */
  let isOpen = false;
  let isClosing = false;

  const deadline = () => performance.now() + timeoutMs;

  function currentTransaction(): Transaction | undefined {
    const transaction = current.getStore();
    return transaction?.isOver === false ? transaction : undefined;
  }

  /** Once SQLite has ended the transaction, a statement would be saved by itself. */
  function runWithin<T>(transaction: Transaction, work: () => T): T {
    if (transaction.endedBy) throw transaction.endedBy.error;
    try {
      return work();
    } catch (error) {
      if (!sqlite.inTransaction) transaction.endedBy = { error };
      throw error;
    }
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
    return statement.readonly ? read(work) : write(work);
  }

  async function read<T>(work: () => T): Promise<T> {
    const transaction = currentTransaction();
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
    const transaction = currentTransaction();
    return transaction ? runWithin(transaction, work) : enqueue(() => write(work), { waitsForLock: true });
  }

  function enqueue<T>(work: () => Promise<T>, { waitsForLock }: { waitsForLock: boolean }): Promise<T> {
    return new Promise((resolve, reject) => {
      if (isClosing) throw new TypeError("The database connection is not open");
      const inCallersContext = AsyncLocalStorage.snapshot();
      queue.add({
        giveUpAt: waitsForLock ? deadline() : 0,
        waitsForLock,
        isAlone: false,
        reject,
        async run() {
          const result = await inCallersContext(() => runTransaction(work));
          return () => resolve(result);
        },
      });
    });
  }

  async function runTransaction<T>(work: () => Promise<T>): Promise<T> {
    const transaction: Transaction = { isOver: false };
    try {
      const result = await current.run(transaction, work);
      if (transaction.endedBy) throw transaction.endedBy.error;
      return result;
    } catch (error) {
      throw transaction.endedBy ? transaction.endedBy.error : error;
    } finally {
      transaction.isOver = true;
    }
  }

  /** Executes writes in one transaction, and answers all of them. */
  async function commitTogether(first: Write, next: () => Write | undefined): Promise<void> {
    const writes = [first];
    const answers: (() => void)[] = [];
    try {
      await queue.untilUnlocked(() => {
        begin.run();
        isOpen = true;
      }, first.giveUpAt);
      answers.push(await first.run());
      for (let write = next(); write; write = next()) {
        writes.push(write);
        answers.push(await runInSavepoint(write));
      }
      commit.run();
    } catch (error) {
      isOpen = false;
      // A full disk, for one, has ended the transaction already.
      if (sqlite.inTransaction) rollback.run();
      if (writes.length === 1) first.reject(error);
      else queue.addAgain(writes.map((write) => ({ ...write, isAlone: true })));
      return;
    }
    isOpen = false;
    for (const answer of answers) answer();
  }

  /** Rejects only when the whole transaction has ended. */
  async function runInSavepoint(write: Write): Promise<() => void> {
    try {
      return await within(sharing, write.run);
    } catch (error) {
      if (!sqlite.inTransaction) throw error;
      return () => write.reject(error);
    }
  }

  async function within<T>(savepoint: typeof nesting, work: () => Promise<T>): Promise<T> {
    savepoint.begin.run();
    try {
      const result = await work();
      savepoint.release.run();
      return result;
    } catch (error) {
      if (sqlite.inTransaction) {
        savepoint.rollback.run();
        savepoint.release.run();
      }
      throw error;
    }
  }

  function transaction<T>(work: () => Promise<T>): Promise<T> {
    return currentTransaction() ? within(nesting, work) : enqueue(work, { waitsForLock: true });
  }

  function transactionNow<T>(work: () => Promise<T>): Promise<T> {
    return currentTransaction() ? within(nesting, work) : enqueue(work, { waitsForLock: false });
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
    isInTransaction: () => currentTransaction() !== undefined,
    transaction,
    transactionNow,
    runUnawaited: async (work) => void (await work()),
  };
}
