/**
 * Who runs a statement: the transaction within which it is asked, recognised by its asynchronous context, or else any free
 * connection.
 *
 * Transactions are READ COMMITTED; where that is not enough, queries take locks. Two transactions that are in each other's way
 * (a deadlock, the same row saved by both) are told so by PostgreSQL, and one of them begins again, a few times at most,
 * after a pause that is longer each time and nobody else's.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { TransactionOptions } from "../../types.ts";
import type { Connection, Rows, Value } from "./connection.ts";
import { isAfterFailure, type RetryReason, retryReason } from "./errors.ts";
import { createLanes } from "./lanes.ts";
import type { Pool } from "./pool.ts";

// Said each time: a server may have another default.
const beginning = "begin isolation level read committed";
const runsAtMost = 5;
const laneWaitAtMostMs = 5_000;
const firstPauseAtMostMs = 10;
/** As little as can be: PostgreSQL takes 0 for no limit. */
const lockTimeoutOfNowMs = 1;
/** For what may take a while, such as removing a post with a million ratings. */
const longStatementMs = 60_000;

interface Transaction {
  connection: Connection;
  isOver: boolean;
  /** The first failure of a query: until a savepoint before it, PostgreSQL refuses all that follows. */
  failure: unknown;
  /** How many statements were sent. */
  sent: number;
}

export interface Session {
  run(text: string, values?: readonly Value[]): Promise<Rows>;
  isInTransaction(): boolean;
  /**
   * Runs `work`, one statement of whose answer nothing is wanted. Within a transaction it is sent and not waited for, so that
   * others wait for its locks as much less: should it fail, the transaction does, or the savepoint around it.
   */
  inPassing(work: () => Promise<unknown>): Promise<void>;
  transaction<T>(work: () => Promise<T>, options?: TransactionOptions): Promise<T>;
  transactionNow<T>(work: () => Promise<T>): Promise<T>;
  /** As `transaction`, for what may take much longer than a query usually does. */
  longTransaction<T>(work: () => Promise<T>): Promise<T>;
}

/** `onRetry` is told of each transaction that begins again, and why. */
export function createSession(pool: Pool, onRetry: (reason: RetryReason) => void = () => {}): Session {
  const current = new AsyncLocalStorage<Transaction>();
  const inLane = createLanes(laneWaitAtMostMs);

  function currentTransaction(): Transaction | undefined {
    const transaction = current.getStore();
    return transaction?.isOver === false ? transaction : undefined;
  }

  async function run(text: string, values?: readonly Value[]): Promise<Rows> {
    const transaction = currentTransaction();
    if (transaction) return runWithin(transaction, text, values);
    const connection = await pool.take();
    try {
      return await connection.query(text, values);
    } finally {
      pool.giveBack(connection);
    }
  }

  async function inPassing(work: () => Promise<unknown>): Promise<void> {
    const transaction = currentTransaction();
    const sentBefore = transaction?.sent;
    const done = work();
    // What could not even be sent PostgreSQL does not know of.
    if (!transaction || transaction.sent === sentBefore) await done;
    else done.catch(() => undefined);
  }

  async function whole<T>(work: () => Promise<T>, begin: string): Promise<T> {
    const connection = await pool.take();
    const transaction: Transaction = { connection, isOver: false, failure: undefined, sent: 0 };
    try {
      // Waited for: should it fail, nothing of what follows may run.
      await connection.query(begin, [], false);
      const result = await current.run(transaction, work);
      transaction.isOver = true;
      const { command } = await connection.query("commit", [], false);
      if (command === "COMMIT") return result;
      throw transaction.failure ?? new Error("PostgreSQL did not commit");
    } catch (error) {
      const isCommitting = transaction.isOver;
      transaction.isOver = true;
      if (!isCommitting) await rollBack(connection);
      throw isAfterFailure(error) ? (transaction.failure ?? error) : error;
    } finally {
      pool.giveBack(connection);
    }
  }

  async function rollBack(connection: Connection): Promise<void> {
    await connection
      .query("rollback", [], false)
      .catch((error: unknown) => connection.lose(new Error("A transaction did not end", { cause: error })));
  }

  async function part<T>(transaction: Transaction, work: () => Promise<T>): Promise<T> {
    const { connection } = transaction;
    await connection.query("savepoint nested", [], false);
    try {
      const result = await work();
      await connection.query("release nested", [], false);
      return result;
    } catch (error) {
      const cause = isAfterFailure(error) ? (transaction.failure ?? error) : error;
      if (connection.isUsable()) {
        await connection.query("rollback to nested; release nested", [], false);
        transaction.failure = undefined;
      }
      throw cause;
    }
  }

  async function again<T>(work: () => Promise<T>, begin: string): Promise<T> {
    for (let run = 1; ; run++) {
      try {
        return await whole(work, begin);
      } catch (error) {
        const reason = retryReason(error);
        if (!reason || run === runsAtMost) throw error;
        onRetry(reason);
      }
      await sleep(Math.random() * firstPauseAtMostMs * 2 ** (run - 1));
    }
  }

  function transaction<T>(work: () => Promise<T>, { lane }: TransactionOptions = {}): Promise<T> {
    const around = currentTransaction();
    if (around) return part(around, work);
    const run = () => again(work, beginning);
    return lane === undefined ? run() : inLane(lane, run);
  }

  return {
    run,
    isInTransaction: () => currentTransaction() !== undefined,
    inPassing,
    transaction,
    transactionNow(work) {
      const around = currentTransaction();
      return around
        ? part(around, work)
        : whole(work, `${beginning}; set local lock_timeout = ${lockTimeoutOfNowMs}`);
    },
    longTransaction: (work) =>
      transaction(async () => {
        const connection = currentTransaction()?.connection;
        connection?.setPatience(longStatementMs + 1_000);
        try {
          await connection?.query(`set local statement_timeout = ${longStatementMs}`, [], false);
          return await work();
        } finally {
          connection?.setPatience(undefined);
        }
      }),
  };
}

async function runWithin(transaction: Transaction, text: string, values?: readonly Value[]): Promise<Rows> {
  try {
    transaction.sent += 1;
    return await transaction.connection.query(text, values);
  } catch (error) {
    transaction.failure ??= error;
    throw error;
  }
}
