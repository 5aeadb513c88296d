/**
 * One connection, used by one at a time: a transaction has it until it ends, and whoever asks for something meanwhile
 * waits for that. What is asked within a transaction is recognised by its asynchronous context.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Database as Sqlite } from "better-sqlite3";
import type { Synchronous } from "../../types.ts";

/** How long SQLite waits for other processes that write. */
export const busyTimeoutMs = 5_000;

export type Turns = ReturnType<typeof turnsUpon>;

export function turnsUpon(sqlite: Sqlite) {
  const current = new AsyncLocalStorage<{ isOver: boolean }>();
  const begin = sqlite.prepare("begin immediate");
  const commit = sqlite.prepare("commit");
  const rollback = sqlite.prepare("rollback");
  const savepoint = sqlite.prepare("savepoint nested");
  const release = sqlite.prepare("release nested");
  const backToSavepoint = sqlite.prepare("rollback to nested");
  /** Settles when all who have asked until now are done; undefined while nobody uses the connection. */
  let busy: Promise<unknown> | undefined;

  function isInTransaction(): boolean {
    return current.getStore()?.isOver === false;
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = busy ? busy.then(work) : work();
    const done = result
      .catch(() => undefined)
      .then(() => {
        if (busy === done) busy = undefined;
      });
    busy = done;
    return result;
  }

  async function whole<T>(work: () => Promise<T>, waits: boolean): Promise<T> {
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

  async function part<T>(work: () => Promise<T>): Promise<T> {
    savepoint.run();
    try {
      const result = await work();
      release.run();
      return result;
    } catch (error) {
      if (sqlite.inTransaction) {
        backToSavepoint.run();
        release.run();
      }
      throw error;
    }
  }

  async function ask<T>(query: () => T): Promise<T> {
    return busy && !isInTransaction() ? inTurn(async () => query()) : query();
  }

  return {
    /** Runs `work` in an IMMEDIATE transaction, or within one as a part of it. */
    transaction<T>(work: () => Promise<T>, { waits = true } = {}): Promise<T> {
      return isInTransaction() ? part(work) : inTurn(() => whole(work, waits));
    },
    /** Runs one query when nobody else has the connection. */
    ask,
    /** Queries that answer at once, as such that each wait for their turn. */
    inTurns<Queries extends object>(queries: Synchronous<Queries>): Queries {
      const waiting = Object.entries<(...values: unknown[]) => unknown>(queries).map(([name, query]) => [
        name,
        (...values: unknown[]) => ask(() => query(...values)),
      ]);
      // What each method takes and gives is kept, which a loop over their names cannot say.
      return Object.fromEntries(waiting) as Queries;
    },
  };
}
