// Over 200 lines: beginning, nesting and ending share one transaction.

/**
 * Runs each statement in its asynchronous context's transaction.
 * Outside a transaction it runs on any free connection. A transaction has one connection to itself; when that is lost
 * the transaction ends, and nothing of it runs on another.
 *
 * Transactions are READ COMMITTED; where that is not enough, queries take locks. When PostgreSQL ends one of two
 * conflicting transactions (a deadlock, the same row saved by both), that one runs again, a few times at most, after
 * exponential backoff with jitter.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { PoolClient } from "pg";
import type { Session, TransactionOptions } from "../../dialect.ts";
import {
  type ConnectionPool,
  defaultTimeouts,
  type QueryOptions,
  query,
  type Result,
  type Timeouts,
} from "./client.ts";
import {
  isAfterFailure,
  isAnswer,
  isReadOnly,
  NotCommittedError,
  type RetryReason,
  retryReason,
} from "./errors.ts";
import { createSharedTransactions, type Joined } from "./shared-transactions.ts";

// Explicit: a server may have another default.
const beginText = "begin isolation level read committed";
const runsAtMost = 5;
const firstPauseAtMostMs = 10;
/** The shortest: PostgreSQL takes 0 for no limit. */
const lockTimeoutOfNowMs = 1;
/** For work that joins a transaction: all that share it would wait for its locks. */
const joinedLockTimeout = "set local lock_timeout = 10";

interface Transaction {
  client: PoolClient;
  isOver: boolean;
  /**
   * The first failure of a query.
   * PostgreSQL then refuses all statements until a rollback to an earlier savepoint.
   */
  failure: unknown;
  /** How many statements were sent. */
  sent: number;
  /** Statements that no caller awaits. */
  unawaited: Promise<unknown>[];
}

export interface PostgresSession extends Session {
  /** Runs one statement, prepared on each connection at its first use. */
  run(text: string, values?: readonly unknown[]): Promise<Result>;
}

/** Calls \`onRetry\` with the reason each time that a transaction runs again. */
export function createSession(
  pool: ConnectionPool,
  onRetry: (reason: RetryReason) => void = () => {},
  timeouts: Pick<Timeouts, "lockKey" | "joining"> = defaultTimeouts,
): PostgresSession {
  const current = new AsyncLocalStorage<Transaction>();
  let prefix = newPrefix();
  const names = new Map<string, string>();

  function nameOf(text: string): string {
    const name = names.get(text) ?? `${prefix}_${names.size}`;
    names.set(text, name);
    return name;
  }

  /**
   * Runs a prepared statement.
   * When it is stale, all statements get new names, so that every connection prepares them.
   */
  async function runPrepared(client: PoolClient, text: string, options: QueryOptions): Promise<Result> {
    const name = nameOf(text);
    try {
      return await query(client, text, { ...options, name });
    } catch (error) {
      if (retryReason(error) === "stale" && names.get(text) === name) {
        prefix = newPrefix();
        names.clear();
      }
      throw error;
    }
  }

  function currentTransaction(): Transaction | undefined {
    const transaction = current.getStore();
    return transaction?.isOver === false ? transaction : undefined;
  }

  async function run(text: string, values: readonly unknown[] = []): Promise<Result> {
    const transaction = currentTransaction();
    if (transaction) {
      try {
        transaction.sent += 1;
        return await runPrepared(transaction.client, text, { values });
      } catch (error) {
        transaction.failure ??= error;
        throw error;
      }
    }
    return runAlone(text, values).catch((error: unknown) => {
      if (retryReason(error) !== "stale") throw error;
      onRetry("stale");
      return runAlone(text, values);
    });
  }

  async function runAlone(text: string, values: readonly unknown[]): Promise<Result> {
    const client = await pool.connect();
    let loss: Error | undefined;
    try {
      return await runPrepared(client, text, { values });
    } catch (error) {
      loss = lossIn(error);
      throw error;
    } finally {
      client.release(loss);
    }
  }

  async function runUnawaited(work: () => Promise<unknown>): Promise<void> {
    const transaction = currentTransaction();
    const sentBefore = transaction?.sent;
    const done = work();
    // PostgreSQL does not know of a statement that could not even be sent.
    if (!transaction || transaction.sent === sentBefore) await done;
    else transaction.unawaited.push(done.catch(() => undefined));
  }

  async function outermost<T>(work: () => Promise<T>, begin = beginText): Promise<T> {
    const client = await pool.connect();
    const transaction = newTransaction(client);
    let loss: Error | undefined;
    try {
      // Awaited: should it fail, nothing that follows may run.
      await query(client, begin);
      const result = await current.run(transaction, work);
      transaction.isOver = true;
      const { command } = await query(client, "commit");
      if (command === "COMMIT") return result;
      throw (await firstFailure(transaction)) ?? new NotCommittedError();
    } catch (error) {
      if (transaction.isOver) loss = lossIn(error);
      else {
        transaction.isOver = true;
        await query(client, "rollback").catch((error: unknown) => {
          loss = new Error("A transaction did not end", { cause: error });
        });
      }
      const cause = isAfterFailure(error) ? ((await firstFailure(transaction)) ?? error) : error;
      if (isReadOnly(cause)) loss ??= lossIn(cause);
      throw cause;
    } finally {
      client.release(loss);
    }
  }

  async function nested<T>(transaction: Transaction, work: () => Promise<T>): Promise<T> {
    const { client } = transaction;
    await query(client, "savepoint nested");
    try {
      const result = await work();
      await query(client, "release nested");
      return result;
    } catch (error) {
      const cause = isAfterFailure(error) ? ((await firstFailure(transaction)) ?? error) : error;
      // On a connection that is lost this fails, and so will the transaction around it.
      await query(client, "rollback to nested; release nested").then(
        () => {
          transaction.failure = undefined;
        },
        () => undefined,
      );
      throw cause;
    }
  }

  /** Runs the work of another caller in a savepoint of the current transaction. */
  async function join<T>(work: () => Promise<T>, isFirst: boolean): Promise<Joined<T>> {
    const around = currentTransaction();
    if (!around) throw new Error("Work joins a transaction that is under way");
    const { client } = around;
    const transaction = newTransaction(client);
    // Sent with the work's first statements. It fails where a statement of earlier work has failed unnoticed.
    const begun = query(client, isFirst ? `${joinedLockTimeout}; savepoint joined` : "savepoint joined");
    begun.catch(() => undefined);
    try {
      const result = await current.run(transaction, work);
      transaction.isOver = true;
      // Not released, which would be one more statement: the next savepoint is within this one.
      if (transaction.failure !== undefined) throw transaction.failure;
      const laterFailure = firstFailure(transaction).then((failure) => {
        around.failure ??= failure;
      });
      around.unawaited.push(laterFailure);
      return { result };
    } catch (error) {
      transaction.isOver = true;
      await begun;
      const cause = isAfterFailure(error) ? ((await firstFailure(transaction)) ?? error) : error;
      await query(client, "rollback to joined; release joined");
      return { error: cause };
    }
  }

  async function withRetries<T>(work: () => Promise<T>, begin = beginText): Promise<T> {
    for (let run = 1; ; run++) {
      try {
        return await outermost(work, begin);
      } catch (error) {
        const reason = retryReason(error);
        if (!reason || run === runsAtMost) throw error;
        onRetry(reason);
      }
      await sleep(Math.random() * firstPauseAtMostMs * 2 ** (run - 1));
    }
  }

  const share = createSharedTransactions({
    transaction: outermost,
    transactionWithRetries: withRetries,
    join,
    onRetry,
    waitMs: timeouts.lockKey,
    joiningMs: timeouts.joining,
  });

  function transaction<T>(work: () => Promise<T>, { lockKey }: TransactionOptions = {}): Promise<T> {
    const around = currentTransaction();
    if (around) return nested(around, work);
    if (lockKey === undefined) return withRetries(work);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const inCallersContext = AsyncLocalStorage.snapshot();
    share(lockKey, {
      async run() {
        const transaction = current.getStore();
        const run = () => (transaction ? current.run(transaction, work) : work());
        const result = await inCallersContext(run);
        return () => resolve(result);
      },
      reject,
    });
    return promise;
  }

  return {
    run,
    isInTransaction: () => currentTransaction() !== undefined,
    runUnawaited,
    transaction,
    transactionNow(work) {
      const around = currentTransaction();
      return around
        ? nested(around, work)
        : withRetries(work, `${beginText}; set local lock_timeout = ${lockTimeoutOfNowMs}`);
    },
  };
}

function newTransaction(client: PoolClient): Transaction {
  return { client, isOver: false, failure: undefined, sent: 0, unawaited: [] };
}

/**
 * The first failure of a transaction.
 * It may be of a statement whose answer arrived together with that of a later one.
 */
async function firstFailure(transaction: Transaction): Promise<unknown> {
  await Promise.all(transaction.unawaited);
  return transaction.failure;
}

/**
 * The prefix of prepared statements' names.
 * Behind a pooler, other processes share the connection.
 */
function newPrefix(): string {
  return `weir_${randomBytes(6).toString("hex")}`;
}

/**
 * The error with which the connection of a failed query ends.
 * Undefined when the connection is still usable.
 */
function lossIn(error: unknown): Error | undefined {
  if (isReadOnly(error)) return new Error("The server takes no writes", { cause: error });
  return isAnswer(error) ? undefined : new Error("A query had no answer", { cause: error });
}
