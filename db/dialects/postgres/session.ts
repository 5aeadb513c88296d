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
import type {
  DatabaseSession,
  LockedValues,
  RowValues,
  RowWrite,
  TransactionOptions,
  WrittenRow,
} from "../../dialect.ts";
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
import {
  combineWrites,
  type RowsWrite,
  rowKey,
  rowsWriteOf,
  type UnsentRow,
  unsentRow,
} from "./combined-writes.ts";
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
const joinedLockTimeout = "set local lock_timeout = 10; ";
/**
 * The maximum number of transactions that share a commit.
 * Other nodes wait for the same row meanwhile. PostgreSQL is slower for all with more than 64 savepoints in a
 * transaction.
 */
const membersMaximum = 32;

interface PostgresTransaction extends TransactionContext {
  /**
   * The first failure of a query.
   * PostgreSQL then refuses all statements until a rollback to an earlier savepoint.
   */
  failure: unknown;
  /**
   * Rows to write, never changed in place.
   * Those of a part begin with those of the whole, and become the whole's when the part has succeeded.
   */
  unsent: readonly UnsentRow[];
  /** Whether the next statement depends on no unsent row, and is sent before them. */
  skipsUnsent: boolean;
  /** The statements that were sent and that no caller awaits. */
  unawaited: Promise<unknown>[];
  /** Shared by a whole and its parts. */
  connection: TransactionConnection;
}

interface TransactionConnection {
  client: PoolClient;
  /** Key of the kept values; replaced when a statement may have changed them. */
  keptScope: object;
  /**
   * The latest part that has joined the transaction.
   * With its savepoint, begun before its first statement.
   */
  joined?: { part: PostgresTransaction; savepoint?: Promise<unknown> };
  /** Whether any part's savepoint has begun. */
  hasSavepoint: boolean;
}

export interface PostgresSession extends DatabaseSession {
  /** Runs one statement, prepared on each connection at its first use. */
  run(text: string, values?: readonly unknown[]): Promise<Result>;
  /** As the function of `rowWriter`. */
  writeRows<Row extends RowValues>(write: RowsWrite<Row>, rows: readonly Row[]): Promise<void>;
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
    if (transaction) {
      try {
        if (!transaction.skipsUnsent) {
          sendUnsent(transaction);
          transaction.connection.keptScope = {};
        }
        beginSavepoint(transaction);
        return await runPrepared(transaction.connection.client, text, { values });
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

  function rowWriter<Row extends RowValues>(write: RowWrite<Row>): (row: Row) => Promise<void> {
    const rowsWrite = rowsWriteOf(write);
    return async (row) => {
      const transaction = contexts.current();
      if (!transaction) return void (await write.statement.execute(row));
      try {
        // A row that lacks a value fails here: later, it would fail all that share the commit.
        rowsWrite.writeOf([row]);
      } catch (error) {
        transaction.failure ??= error;
        throw error;
      }
      await writeRows(rowsWrite, [row]);
    };
  }

  async function writeRows<Row extends RowValues>(write: RowsWrite<Row>, rows: readonly Row[]) {
    const transaction = contexts.current();
    const added = rows.map((row) => unsentRow(write, row));
    if (transaction) transaction.unsent = [...transaction.unsent, ...added];
    else for (const { text, values } of combineWrites(added)) await run(text, values);
  }

  async function readRows<T>(rows: readonly WrittenRow[], work: () => Promise<T>): Promise<T> {
    const transaction = contexts.current();
    const keys = rows.map(rowKey);
    if (!transaction || transaction.unsent.some(({ key }) => keys.includes(key))) return work();
    transaction.skipsUnsent = true;
    try {
      return work();
    } finally {
      transaction.skipsUnsent = false;
    }
  }

  function lockedValues<T>(): LockedValues<T> {
    const known = new WeakMap<object, Map<string | number, T>>();
    return () => {
      const scope = contexts.current()?.connection.keptScope;
      const values = (scope && known.get(scope)) ?? new Map<string | number, T>();
      if (scope) known.set(scope, values);
      return values;
    };
  }

  /**
   * Sends the rows that a transaction has not sent.
   * Of a part they begin with those of the whole, which sends them again when the part is rolled back.
   */
  function sendUnsent(transaction: PostgresTransaction): void {
    if (transaction.unsent.length === 0) return;
    beginSavepoint(transaction);
    const statements = combineWrites(transaction.unsent);
    transaction.unsent = [];
    for (const { text, values } of statements) {
      const sent = runPrepared(transaction.connection.client, text, { values }).catch((error: unknown) => {
        transaction.failure ??= error;
      });
      transaction.unawaited.push(sent);
    }
  }

  /**
   * Begins the savepoint of a part that has joined a transaction, if it has none.
   * It fails where a statement of earlier work has failed unnoticed.
   */
  function beginSavepoint(part: PostgresTransaction): void {
    const { client, joined, hasSavepoint } = part.connection;
    if (joined?.part !== part || joined.savepoint !== undefined) return;
    joined.savepoint = query(client, `${hasSavepoint ? "" : joinedLockTimeout}savepoint joined`);
    joined.savepoint.catch(() => undefined);
    part.connection.hasSavepoint = true;
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
      sendUnsent(transaction);
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
      if (part.failure !== undefined) throw part.failure;
      whole.unsent = part.unsent;
      const laterFailure = firstFailure(part).then((failure) => {
        whole.failure ??= failure;
      });
      whole.unawaited.push(laterFailure);
      return result;
    } catch (error) {
      whole.connection.keptScope = {};
      throw await causeOf(error, part);
    }
  }

  function nested<T>(whole: PostgresTransaction, work: () => Promise<T>): Promise<T> {
    const { client } = whole.connection;
    const part = partOf(whole);
    return contexts.nest(whole, part, async () => {
      sendUnsent(whole);
      beginSavepoint(whole);
      part.unsent = [];
      await query(client, "savepoint nested");
      try {
        return await runPart(whole, part, async () => {
          const result = await contexts.run(part, work);
          if (part.refusal) throw part.refusal.error;
          sendUnsent(part);
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
    beginSavepoint() {
      const whole = shared();
      whole.connection.joined = { part: partOf(whole) };
    },
    // One more statement: the next savepoint is within this one instead.
    releaseSavepoint: () => {},
    async rollBackToSavepoint() {
      const { client, joined } = shared().connection;
      if (joined?.savepoint === undefined) return;
      await joined.savepoint;
      await query(client, "rollback to joined; release joined");
    },
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
        const part = whole.connection.joined?.part ?? partOf(whole);
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
    rowWriter,
    writeRows,
    readRows,
    lockedValues,
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
  const connection = { client, keptScope: {}, hasSavepoint: false };
  return { ...newPart(), connection, unsent: [] };
}

/** A part of a transaction, with the rows that it has not sent. */
function partOf({ connection, unsent }: PostgresTransaction): PostgresTransaction {
  return { ...newPart(), connection, unsent };
}

function newPart() {
  return { isOver: false, failure: undefined, skipsUnsent: false, unawaited: [] };
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
