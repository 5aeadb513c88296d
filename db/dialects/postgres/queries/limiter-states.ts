/**
 * Limiter states. A row holds a state and the instant of its expiry, as JSON, and in a column of its own an instant from
 * which the row may go. That is later, by as long as the state had to live when the column was written: the expiry of most
 * states moves with each update, and the index on the column would move with it.
 */
import { inArray, sql } from "drizzle-orm";
import type { LimiterStateQueries } from "../../../types.ts";
import { storableText } from "../connection.ts";
import { lockLimiterStates } from "../locks.ts";
import { limiterStates } from "../schema.ts";
import type { Session } from "../session.ts";
import type { Statements } from "../statements.ts";

const { placeholder } = sql;

const forGood = Number.MAX_SAFE_INTEGER;

export function limiterStateQueries(statements: Statements, session: Session): LimiterStateQueries {
  const hasKey = sql`${limiterStates.key} = any(${placeholder("keys")}::text[])`;
  const load = statements
    .select({ key: limiterStates.key, saved: limiterStates.state })
    .from(limiterStates)
    .where(hasKey)
    .prepare("limiter states");
  const remove = statements.delete(limiterStates).where(hasKey).prepare("remove limiter states");
  const removeExpired = statements
    .delete(limiterStates)
    .where(
      inArray(
        limiterStates.key,
        sql`(select key from limiter_states where expires_at <= ${placeholder("now")} order by expires_at limit ${placeholder("limit")} for update skip locked)`,
      ),
    )
    .returning({ key: limiterStates.key })
    .prepare("remove expired limiter states");

  return {
    async load(keys, now) {
      if (keys.length === 0) return [];
      const ordered = inOrder(keys);
      // Sent together; the rows are read when the locks are had, which those who save have until then.
      const [, rows] = await Promise.all([
        session.isInTransaction() ? session.run(lockLimiterStates, [ordered]) : undefined,
        load.execute({ keys: ordered }),
      ]);
      const saved = new Map(rows.map((row) => [row.key, row.saved]));
      return keys.map((key) => stateIn(saved.get(storableText(key)), now));
    },
    async save(states, now) {
      // Of two under one key, the last one counts.
      const byKey = new Map(states.map((state) => [state.key, state]));
      const [gone, staying] = [[] as string[], [] as { key: string; saved: string; mayGoAt: number }[]];
      for (const key of inOrder([...byKey.keys()])) {
        const until = Math.min(byKey.get(key)?.expiresAt ?? forGood, forGood);
        if (until <= now) gone.push(key);
        else
          staying.push({
            key,
            saved: JSON.stringify([byKey.get(key)?.state, until]),
            mayGoAt: Math.min(until + (until - now), forGood),
          });
      }
      const values = [
        staying.map(({ key }) => key),
        staying.map(({ saved }) => saved),
        staying.map(({ mayGoAt }) => mayGoAt),
        now,
      ];
      await Promise.all([
        gone.length > 0 ? session.inPassing(() => remove.execute({ keys: gone })) : undefined,
        staying.length > 0 ? session.inPassing(() => session.run(upsert, values)) : undefined,
      ]);
    },
    async remove(keys) {
      if (keys.length > 0) await remove.execute({ keys: inOrder(keys) });
    },
    removeExpired: async (now, limit) => (await removeExpired.execute({ now, limit })).length,
  };
}

/**
 * Leaves the column of the expiry as it is where that is late enough, and not later by more than the state has to live:
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

/** Each key once, in an order that is everybody's. */
function inOrder(keys: readonly string[]): string[] {
  return [...new Set(keys)].sort();
}

/** A row that is no such pair is of an earlier version, and its state is taken for none. */
function stateIn(saved: string | undefined, now: number): unknown {
  if (saved === undefined) return undefined;
  const pair: unknown = JSON.parse(saved);
  if (!Array.isArray(pair)) return undefined;
  const [state, expiresAt]: unknown[] = pair;
  return typeof expiresAt === "number" && expiresAt > now ? state : undefined;
}
