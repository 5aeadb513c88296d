/**
 * Limiter states in PostgreSQL.
 * Rows as in `../sqlite/limiter-states.ts`, with a lock for each key, since a state may have no row yet.
 */

import type { RowValues } from "../../dialect.ts";
import {
  forever,
  limiterStateFrom,
  limiterStateText,
  rowExpiry,
  rowSlackMaximumMs,
  stateIn,
} from "../../rows.ts";
import type { LimiterStateQueries } from "../../types.ts";
import { storableText } from "./client.ts";
import type { RowsWrite } from "./combined-writes.ts";
import { lockLimiterStates } from "./locks.ts";
import type { PostgresSession } from "./session.ts";

const load = "select key, state from limiter_states where key = any($1::text[])";
const remove = "delete from limiter_states where key = any($1::text[])";
const removeExpired = `
  delete from limiter_states where key in (
    select key from limiter_states where expires_at <= $1 order by expires_at limit $2 for update skip locked
  ) returning key`;

/**
 * `nodeClock` is this node's clock, in milliseconds.
 * The difference to the database's clock is added to it; without it that is 0.
 */
export function limiterStateQueries(
  { run, writeRows, readRows, lockedValues, isInTransaction }: PostgresSession,
  nodeClock?: () => number,
): LimiterStateQueries {
  /** The states that were saved in this transaction. */
  const saved = lockedValues<string>();

  /**
   * Locks the keys' states and reads them.
   * Sent together: the rows are read once the locks are held.
   */
  async function lockAndLoad(keys: readonly string[]) {
    const ordered = sortedKeys(keys);
    // Before the statements below: they may send these states to PostgreSQL, which keeps them no longer here.
    const inTransaction = saved();
    const kept = new Map(ordered.map((key) => [key, inTransaction.get(key)]));
    const others = ordered.filter((key) => kept.get(key) === undefined);
    const written = others.map((key) => ["limiter_states", key] as const);
    const [locked, found] = await Promise.all([
      readRows([], () => run(lockLimiterStates, [ordered])),
      others.length > 0 ? readRows(written, () => run(load, [others])) : undefined,
    ]);
    for (const [key, state] of found?.rows ?? []) kept.set(String(key), String(state));
    return {
      lockedAt: locked.rows.at(-1)?.[1],
      textOf: (key: string) => kept.get(storableText(key)),
    };
  }

  return {
    async loadToUpdate(keys) {
      const { lockedAt, textOf } = await lockAndLoad(keys);
      return {
        saved: keys.map((key) => limiterStateFrom(textOf(key))),
        aheadMs: nodeClock && lockedAt !== undefined ? Math.floor(Number(lockedAt) - nodeClock()) : 0,
      };
    },
    async load(keys, now) {
      if (keys.length === 0) return [];
      if (isInTransaction()) {
        const { textOf } = await lockAndLoad(keys);
        return keys.map((key) => stateIn(textOf(key), now));
      }
      const { rows } = await run(load, [sortedKeys(keys)]);
      const texts = new Map(rows.map(([key, state]) => [String(key), String(state)]));
      return keys.map((key) => stateIn(texts.get(storableText(key)), now));
    },
    async save(states, now) {
      // Of two under one key, the last one counts.
      const byKey = new Map(states.map((state) => [storableText(state.key), state]));
      const [gone, staying] = [[] as string[], [] as StateRow[]];
      for (const key of sortedKeys([...byKey.keys()])) {
        const change = byKey.get(key);
        if (!change) continue;
        const until = Math.min(change.expiresAt ?? forever, forever);
        if (until <= now) gone.push(key);
        else
          staying.push({
            key,
            text: limiterStateText(change, until, now),
            prunableAt: rowExpiry(until, now),
            now,
          });
      }
      if (gone.length > 0) await run(remove, [gone]);
      const kept = saved();
      for (const { key, text } of staying) kept.set(key, text);
      await writeRows(upsertRows, staying);
    },
    async remove(keys) {
      if (keys.length > 0) await run(remove, [sortedKeys(keys)]);
    },
    removeExpired: async (now, limit) => (await run(removeExpired, [now, limit])).rows.length,
  };
}

/**
 * Keeps a row's expiry that is neither before the state's nor too long after it.
 * `excluded.expires_at` is in the middle: later than the expiry by the slack,
 * which is at most half the time until then.
 */
const upsert = `
  insert into limiter_states (key, state, expires_at)
  select * from unnest($1::text[], $2::text[], $3::bigint[])
  on conflict (key) do update set state = excluded.state, expires_at = case
    when abs(limiter_states.expires_at - excluded.expires_at)
      <= least(${rowSlackMaximumMs}, (excluded.expires_at - $4::bigint) / 2)
    then limiter_states.expires_at
    else excluded.expires_at
  end`;

interface StateRow extends RowValues {
  key: string;
  text: string;
  prunableAt: number;
  now: number;
}

const upsertRows: RowsWrite<StateRow> = {
  table: "limiter_states",
  keyOf: ({ key }) => key,
  merged: (_, later) => later,
  writeOf(rows) {
    const ordered = rows.toSorted((a, b) => (a.key < b.key ? -1 : 1));
    const values = [
      ordered.map(({ key }) => key),
      ordered.map(({ text }) => text),
      ordered.map(({ prunableAt }) => prunableAt),
      Math.max(...ordered.map(({ now }) => now)),
    ];
    return [{ text: upsert, values }];
  },
};

/**
 * Each key once, as it is saved.
 * In the order in which every transaction locks them.
 */
function sortedKeys(keys: readonly string[]): string[] {
  return [...new Set(keys.map(storableText))].sort();
}
