/**
 * Limiter states in PostgreSQL.
 * Rows as in `../sqlite/limiter-states.ts`, with a lock for each key, since a state may have no row yet.
 */
import { forever, limiterStateFrom, limiterStateText, stateIn } from "../../rows.ts";
import type { LimiterStateQueries } from "../../types.ts";
import { storableText } from "./client.ts";
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
  { run, runUnawaited, isInTransaction }: PostgresSession,
  nodeClock?: () => number,
): LimiterStateQueries {
  return {
    async loadToUpdate(keys) {
      const ordered = inOrder(keys);
      const [locked, { rows }] = await Promise.all([run(lockLimiterStates, [ordered]), run(load, [ordered])]);
      const texts = new Map(rows.map(([key, state]) => [String(key), String(state)]));
      const lockedAt = locked.rows.at(-1)?.[1];
      return {
        saved: keys.map((key) => limiterStateFrom(texts.get(storableText(key)))),
        aheadMs: nodeClock && lockedAt !== undefined ? Math.floor(Number(lockedAt) - nodeClock()) : 0,
      };
    },
    async load(keys, now) {
      if (keys.length === 0) return [];
      const ordered = inOrder(keys);
      // Sent together: the rows are read once the locks are held.
      const [, { rows }] = await Promise.all([
        isInTransaction() ? run(lockLimiterStates, [ordered]) : undefined,
        run(load, [ordered]),
      ]);
      const saved = new Map(rows.map(([key, state]) => [String(key), String(state)]));
      return keys.map((key) => stateIn(saved.get(storableText(key)), now));
    },
    async save(states, now) {
      // Of two under one key, the last one counts.
      const byKey = new Map(states.map((state) => [state.key, state]));
      const [gone, staying] = [[] as string[], [] as { key: string; saved: string; prunableAt: number }[]];
      for (const key of inOrder([...byKey.keys()])) {
        const change = byKey.get(key);
        if (!change) continue;
        const until = Math.min(change.expiresAt ?? forever, forever);
        if (until <= now) gone.push(key);
        else
          staying.push({
            key,
            saved: limiterStateText(change, until, now),
            prunableAt: Math.min(until + (until - now), forever),
          });
      }
      const values = [
        staying.map(({ key }) => key),
        staying.map(({ saved }) => saved),
        staying.map(({ prunableAt }) => prunableAt),
        now,
      ];
      await Promise.all([
        gone.length > 0 ? runUnawaited(() => run(remove, [gone])) : undefined,
        staying.length > 0 ? runUnawaited(() => run(upsert, values)) : undefined,
      ]);
    },
    async remove(keys) {
      if (keys.length > 0) await run(remove, [inOrder(keys)]);
    },
    removeExpired: async (now, limit) => (await run(removeExpired, [now, limit])).rows.length,
  };
}

/**
 * Keeps the expiry's column where it is late enough, and within the lifetime.
 * `excluded.expires_at` is one life beyond the expiry, so half of it on is one and half of it back is none.
 */
const upsert = `
  insert into limiter_states (key, state, expires_at)
  select * from unnest($1::text[], $2::text[], $3::bigint[])
  on conflict (key) do update set state = excluded.state, expires_at = case
    when limiter_states.expires_at
      between excluded.expires_at - (excluded.expires_at - $4::bigint) / 2
      and excluded.expires_at + (excluded.expires_at - $4::bigint) / 2
    then limiter_states.expires_at
    else excluded.expires_at
  end`;

/** Each key once, in the order in which every transaction locks them. */
function inOrder(keys: readonly string[]): string[] {
  return [...new Set(keys)].sort();
}
