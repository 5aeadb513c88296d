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
import type { DatabaseSession, TransactionOptions } from "../../dialect.ts";
import { commitTogether, type GroupCommitParts, type Member } from "../../group-commit.ts";
import { createTransactionContexts, type TransactionContext } from "../../transaction-contexts.ts";
import {
  type ConnectionPool,
  defaultTimeouts,
  type QueryOptions,
  query,
  type Result,
  type Timeouts,
} from "./client.ts";
import { combined, type PendingWrite, writtenTable } from "./combined-writes.ts";
import {
  isAfterFailure,
  isAnswer,
  isLockTimeout,
  isReadOnly,
  NotCommittedError,
  PostgresUnavailableError,
  type RetryReason,
  retryReason,
} from "./errors.ts";
import { createLockKeyQueues } from "./lock-key-queues.ts";

// Explicit: a server may have another default.
const beginText = "begin isolation level read committed";
const runsAtMost = 5;
const firstPauseAtMostMs = 10;
/** The shortest: PostgreSQL takes 0 for no limit. */
const lockTimeoutOfNowMs = 1;
/** For work that joins a transaction: all that share it would wait for its locks. */
const joinedLockTimeout = "set local lock_timeout = 10";
/**
 * The maximum number of transactions that share a commit.
 * Other nodes wait for the same row meanwhile. PostgreSQL is slower for all with more than 64 savepoints in a
 * transaction.
 */
const membersMaximum = 32;

interface PostgresTransaction extends TransactionContext {
  client: PoolClient;
  /**
   * The first failure of a query.
   * PostgreSQL then refuses all statements until a rollback to an earlier savepoint.
   */
  failure: unknown;
  /**
   * Writes that no caller awaits.
   * They are sent together, with the next statement.
   */
  pending: PendingWrite[];
  /** Whether the next statement is such a write. */
  isPending: boolean;
  /** The statements that were sent and that no caller awaits. */
  unawaited: Promise<unknown>[];
}

export interface PostgresSession extends DatabaseSession {
  /** Runs one statement, prepared on each connection at its first use. */
  run(text: string, values?: readonly unknown[]): Promise<Result>;
}

/** Calls `onRetry` with the reason each time that a transaction runs again. */
export function createSession(
  pool: ConnectionPool,
  onRetry: (reason: RetryReason) => void = () => {},
  timeouts: Pick<Timeouts, "lockKey" | "joining" | "work"> = defaultTimeouts,
): PostgresSession {
  const contexts = createTransactionContexts<PostgresTransaction>();
  const workLimit = {
    maximumMs: timeouts.work,
    error: () => new PostgresUnavailableError("The work of a transaction has not ended in time"),
  };
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

  async function run(text: string, values: readonly unknown[] = []): Promise<Result> {
    const transaction = contexts.current();
    if (transaction?.isPending) {
      addPending(transaction, { text, values });
      return { rows: [], command: "" };
    }
    if (transaction) {
      try {
        sendPending(transaction);
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
    const transaction = contexts.current();
    if (!transaction) return void (await work());
    transaction.isPending = true;
    let done: Promise<unknown>;
    try {
      done = work();
    } finally {
      transaction.isPending = false;
    }
    // Rejects only when its values do not fit: nothing is sent yet.
    await done;
  }

  /** In one statement each table is written once. */
  function addPending(transaction: PostgresTransaction, write: PendingWrite): void {
    const table = writtenTable(write.text);
    if (transaction.pending.some(({ text }) => writtenTable(text) === table)) sendPending(transaction);
    transaction.pending.push(write);
  }

  function sendPending(transaction: PostgresTransaction): void {
    if (transaction.pending.length === 0) return;
    const { text, values } = combined(transaction.pending);
    transaction.pending = [];
    const sent = runPrepared(transaction.client, text, { values }).catch((error: unknown) => {
      transaction.failure ??= error;
    });
    transaction.unawaited.push(sent);
  }

  async function outermost<T>(work: () => Promise<T>, begin = beginText): Promise<T> {
    const client = await pool.connect();
    const transaction = newTransaction(client);
    let isEnding = false;
    let loss: Error | undefined;
    try {
      // Awaited: should it fail, nothing that follows may run.
      await query(client, begin);
      const result = await contexts.run(transaction, work);
      sendPending(transaction);
      isEnding = true;
      const { command } = await query(client, "commit");
      if (command === "COMMIT") return result;
      throw (await firstFailure(transaction)) ?? new NotCommittedError();
    } catch (error) {
      if (isEnding) loss = lossIn(error);
      else {
        await query(client, "rollback").catch((error: unknown) => {
          loss = new Error("A transaction did not end", { cause: error });
        });
      }
      const cause = await causeOf(error, transaction);
      if (isReadOnly(cause)) loss ??= lossIn(cause);
      throw cause;
    } finally {
      client.release(loss);
    }
  }

  /**
   * Runs a part of a transaction.
   * It is a nested one, or the work of one caller of several. Its failures are those of the whole only once it has
   * succeeded: until then it may be rolled back alone.
   */
  async function runPart<T>(
    whole: PostgresTransaction,
    part: PostgresTransaction,
    run: () => Promise<T>,
  ): Promise<T> {
    try {
      const result = await run();
      sendPending(part);
      if (part.failure !== undefined) throw part.failure;
      const laterFailure = firstFailure(part).then((failure) => {
        whole.failure ??= failure;
      });
      whole.unawaited.push(laterFailure);
      return result;
    } catch (error) {
      throw await causeOf(error, part);
    }
  }

  function nested<T>(whole: PostgresTransaction, work: () => Promise<T>): Promise<T> {
    const { client } = whole;
    const part = newTransaction(client);
    return contexts.nest(whole, part, async () => {
      sendPending(whole);
      await query(client, "savepoint nested");
      try {
        return await runPart(whole, part, async () => {
          const result = await contexts.run(part, work);
          if (part.refusal) throw part.refusal.error;
          sendPending(part);
          await query(client, "release nested");
          return result;
        });
      } catch (error) {
        // On a connection that is lost this fails, and so will the transaction around it.
        // When the transaction around it has ended, the savepoint of this name is another caller's.
        if (!part.refusal) await query(client, "rollback to nested; release nested").catch(() => undefined);
        throw error;
      }
    });
  }

  /** The open shared transaction. */
  function shared(): PostgresTransaction {
    const transaction = contexts.current();
    if (!transaction) throw new Error("No shared transaction is open");
    return transaction;
  }

  const parts: GroupCommitParts<Member> = {
    membersMaximum,
    joinWindowMs: timeouts.joining,
    transaction: (first, work) => (first.isAlone ? withRetries(work) : outermost(work)),
    // Sent with the work's first statements. It fails where a statement of earlier work has failed unnoticed.
    beginSavepoint(isFirst) {
      const begun = query(
        shared().client,
        isFirst ? `${joinedLockTimeout}; savepoint joined` : "savepoint joined",
      ).then(() => undefined);
      begun.catch(() => undefined);
      return begun;
    },
    // One more statement: the next savepoint is within this one instead.
    releaseSavepoint: () => {},
    rollBackToSavepoint: async () =>
      void (await query(shared().client, "rollback to joined; release joined")),
    // The first one has waited for locks as long as it may.
    isRetried: (error, isFirst) => retryReason(error) !== undefined || (!isFirst && isLockTimeout(error)),
    onRetry(error) {
      const reason = retryReason(error);
      if (reason) onRetry(reason);
    },
    // Without an answer from PostgreSQL they may even have been saved.
    isUnsaved: isAnswer,
  };
  const enqueue = createLockKeyQueues((first, next) => commitTogether(first, next, parts), timeouts.lockKey);

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

  async function transaction<T>(work: () => Promise<T>, { lockKey }: TransactionOptions = {}): Promise<T> {
    const around = contexts.current();
    if (around) return nested(around, work);
    if (lockKey === undefined) return withRetries(work);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const inCallersContext = AsyncLocalStorage.snapshot();
    enqueue(lockKey, {
      async run() {
        const whole = shared();
        const part = newTransaction(whole.client);
        const run = () => inCallersContext(() => contexts.run(part, work, workLimit));
        const result = await runPart(whole, part, run);
        return () => resolve(result);
      },
      reject,
    });
    return promise;
  }

  return {
    run,
    isInTransaction: () => contexts.current() !== undefined,
    runUnawaited,
    transaction,
    async transactionNow(work) {
      const around = contexts.current();
      return around
        ? nested(around, work)
        : withRetries(work, `${beginText}; set local lock_timeout = ${lockTimeoutOfNowMs}`);
    },
  };
}

function newTransaction(client: PoolClient): PostgresTransaction {
  return { client, isOver: false, failure: undefined, pending: [], isPending: false, unawaited: [] };
}

/**
 * The first failure of a transaction.
 * It may be of a statement whose answer arrived together with that of a later one.
 */
async function firstFailure(transaction: PostgresTransaction): Promise<unknown> {
  await Promise.all(transaction.unawaited);
  return transaction.failure;
}

/**
 * The failure from which an error of the transaction's work followed.
 * When it followed from none, the error itself.
 */
async function causeOf(error: unknown, transaction: PostgresTransaction): Promise<unknown> {
  return isAfterFailure(error) ? ((await firstFailure(transaction)) ?? error) : error;
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
