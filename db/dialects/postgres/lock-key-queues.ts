/**
 * Queues of transactions with the same lock key.
 *
 * One transaction of a key at a time enters the database, first come, first served: transactions that wait for a hot post
 * would otherwise hold every connection. Those that wait may join it.
 */
import type { Member } from "../../group-commit.ts";
import { PostgresUnavailableError } from "./errors.ts";

/**
 * Returns a function that adds a transaction behind those with the same key.
 * `execute` runs the first, and those that `next` returns; it resolves to those that have to run again, alone. A
 * transaction is rejected when it waits for longer than `waitMs`.
 */
export function createLockKeyQueues(
  execute: (first: Member, next: () => Member | undefined) => Promise<Member[]>,
  waitMs: number,
): (key: string, work: Member) => void {
  /** The transactions that wait, with their timeouts, by the key of a running one. */
  const queues = new Map<string, Map<Member, NodeJS.Timeout>>();

  function takeFrom(queue: Map<Member, NodeJS.Timeout>): Member | undefined {
    const [first] = queue;
    if (!first) return undefined;
    const [work, timeout] = first;
    clearTimeout(timeout);
    queue.delete(work);
    return work;
  }

  async function runAll(key: string, first: Member): Promise<void> {
    const queue = new Map<Member, NodeJS.Timeout>();
    queues.set(key, queue);
    const next = () => takeFrom(queue);
    for (let work: Member | undefined = first; work; work = next()) {
      const again = await execute(work, next);
      for (const each of again) await execute(each, () => undefined);
    }
    queues.delete(key);
  }

  return (key, work) => {
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
