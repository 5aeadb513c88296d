/**
 * Group commit: transactions with the same lock key share commits.
 *
 * One at a time enters the database, first come, first served: transactions that wait for a hot post would otherwise hold
 * every connection. The waiting ones join the running transaction, one after the other, each in a savepoint of its own,
 * and all are answered once it has committed. A member that fails is rolled back alone.
 *
 * Only the first member waits for locks as usual. A later one has to get its locks almost at once, since it would wait
 * with the locks of all before it, in no fixed order; otherwise it runs in a transaction of its own.
 */
import {
  isAnswer,
  isLockTimeout,
  PostgresUnavailableError,
  type RetryReason,
  retryReason,
} from "./errors.ts";

/**
 * The maximum number of transactions that share a commit.
 * Other nodes wait for the same row meanwhile. PostgreSQL is slower for all with more than 64 savepoints in a
 * transaction.
 */
const sharedAtMost = 32;

/** The work of one caller. */
export interface SharedWork {
  /**
   * Runs it in the current transaction.
   * Resolves to a function that answers the caller.
   */
  run(): Promise<() => void>;
  reject(error: unknown): void;
}

/** The result of a joined work, or the error with which it failed alone. */
export type Joined<T> = { result: T } | { error: unknown };

export interface SharedTransactionSettings {
  /** Runs `work` in a transaction. */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  /** As `transaction`; runs again after a conflict. */
  transactionWithRetries<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Runs `work` in a savepoint, with hardly a wait for locks.
   * Rejects when the whole transaction has failed. `isFirst` for the first that joins a transaction.
   */
  join<T>(work: () => Promise<T>, isFirst: boolean): Promise<Joined<T>>;
  onRetry(reason: RetryReason): void;
  /** The longest wait for the others of a key, in milliseconds. */
  waitMs: number;
  /** The time after which no other joins a transaction. */
  joiningMs: number;
}

/** Returns a function that runs work in a transaction that others may share. */
export function createSharedTransactions({
  transaction,
  transactionWithRetries,
  join,
  onRetry,
  waitMs,
  joiningMs,
}: SharedTransactionSettings) {
  /** Those that wait, with their timeouts, by the key of one at work. */
  const queues = new Map<string, Map<SharedWork, NodeJS.Timeout>>();

  function takeFrom(queue: Map<SharedWork, NodeJS.Timeout>): SharedWork | undefined {
    const [first] = queue;
    if (!first) return undefined;
    const [work, timeout] = first;
    clearTimeout(timeout);
    queue.delete(work);
    return work;
  }

  async function alone(work: SharedWork): Promise<void> {
    try {
      const answer = await transactionWithRetries(work.run);
      answer();
    } catch (error) {
      work.reject(error);
    }
  }

  /** Runs work in a transaction that others join. */
  async function runShared(first: SharedWork, next: () => SharedWork | undefined): Promise<void> {
    const shared = [first];
    const apart: SharedWork[] = [];
    const mayJoin = (beganAt: number) =>
      shared.length < sharedAtMost && apart.length === 0 && performance.now() - beganAt < joiningMs;
    try {
      const answers = await transaction(async () => {
        const answers = [await first.run()];
        // Its locks are held by now; before, it may have waited for them.
        const beganAt = performance.now();
        while (mayJoin(beganAt)) {
          const work = next();
          if (!work) break;
          const isFirst = shared.push(work) === 2;
          const joined = await join(work.run, isFirst);
          if ("result" in joined) {
            answers.push(joined.result);
            continue;
          }
          const { error } = joined;
          if (isLockTimeout(error) || isRetried(error)) {
            shared.pop();
            apart.push(work);
          } else answers.push(() => work.reject(error));
        }
        return answers;
      });
      for (const answer of answers) answer();
    } catch (error) {
      // It may be the failure of one of them, which is found by running each alone. Without an answer from PostgreSQL
      // they may even have been saved.
      const mayRunAgain = shared.length > 1 ? isAnswer(error) : isRetried(error);
      if (mayRunAgain) apart.unshift(...shared);
      else for (const each of shared) each.reject(error);
    }
    for (const each of apart) await alone(each);
  }

  function isRetried(error: unknown): boolean {
    const reason = retryReason(error);
    if (reason) onRetry(reason);
    return reason !== undefined;
  }

  async function runAll(key: string, first: SharedWork): Promise<void> {
    const queue = new Map<SharedWork, NodeJS.Timeout>();
    queues.set(key, queue);
    const next = () => takeFrom(queue);
    for (let work: SharedWork | undefined = first; work; work = next()) await runShared(work, next);
    queues.delete(key);
  }

  return (key: string, work: SharedWork): void => {
    const queue = queues.get(key);
    if (!queue) {
      void runAll(key, work);
      return;
    }
    const timeout = setTimeout(() => {
      queue.delete(work);
      work.reject(new PostgresUnavailableError(`Other transactions had the same row for ${waitMs} ms`));
    }, waitMs);
    queue.set(work, timeout);
  };
}
