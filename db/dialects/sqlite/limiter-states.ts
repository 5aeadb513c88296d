/**
 * Limiter states in SQLite.
 *
 * Every write also deletes a few rows whose time has passed, so that the table stays small without a background job.
 *
 * A row holds a state, the instant of its expiry and the time of its update, as JSON, and in a column of its own an
 * instant from which the row may be deleted. That is later, by as long as the state had to live when the column was
 * written, at most an hour, and after an update at most two: the expiry of most states changes with each update, and
 * the index on the column would change with it, a second page in every commit.
 */
import type { Database as Sqlite } from "better-sqlite3";
import { forever, limiterStateFrom, limiterStateText, rowExpiry, stateIn } from "../../rows.ts";
import type { LimiterStateQueries, LimiterStateToSave } from "../../types.ts";
import type { SqliteSession } from "./session.ts";

/**
 * How many expired rows are removed for each pair of saved states.
 * Most saves add one row at most, as the other one exists already.
 */
const expiredRowsPerPair = 2;

export function limiterStateQueries(
  sqlite: Sqlite,
  { read, write }: Pick<SqliteSession, "read" | "write">,
): LimiterStateQueries {
  const load = sqlite
    .prepare<[key: string], string>("select state from limiter_states where key = ?")
    .pluck();
  /**
   * Leaves the expiry's column as it is.
   * Changes nothing where the expiry is out of bounds.
   */
  const rewrite = sqlite.prepare<[saved: string, key: string, earliest: number, latest: number]>(
    "update limiter_states set state = ? where key = ? and expires_at between ? and ?",
  );
  const insert = sqlite.prepare<[key: string, saved: string, expiresAt: number]>(
    "insert into limiter_states (key, state, expires_at) values (?, ?, ?) on conflict (key) do update set state = excluded.state, expires_at = excluded.expires_at",
  );
  const remove = sqlite.prepare<[key: string]>("delete from limiter_states where key = ?");
  // As a value, the limit would make SQLite plan the statement again each time.
  const findExpired = sqlite
    .prepare<[now: number], string>(
      `select key from limiter_states where expires_at <= ? limit ${expiredRowsPerPair}`,
    )
    .pluck();
  const removeExpired = sqlite.prepare<[now: number, limit: number]>(
    "delete from limiter_states where key in (select key from limiter_states where expires_at <= ? limit ?)",
  );

  /**
   * The statement that changes the state itself comes last.
   * Where this throws, the state is as it was.
   */
  function save(change: LimiterStateToSave, now: number): void {
    const { key, expiresAt = forever } = change;
    const until = Math.min(expiresAt, forever);
    const saved = limiterStateText(change, until, now);
    if (until <= now) {
      remove.run(key);
      return;
    }
    const { changes } = rewrite.run(saved, key, until, rowExpiry(until, now, 2));
    if (changes === 0) insert.run(key, saved, rowExpiry(until, now));
  }

  return {
    // All processes on one file have one clock.
    loadToUpdate: (keys) =>
      read(() => ({ saved: keys.map((key) => limiterStateFrom(load.get(key))), aheadMs: 0 })),
    load: (keys, now) => read(() => keys.map((key) => stateIn(load.get(key), now))),
    save: (states, now) =>
      write(() => {
        for (const [index, state] of states.entries()) {
          if (index % 2 === 0) for (const expired of findExpired.all(now)) remove.run(expired);
          save(state, now);
        }
      }),
    remove: (keys) =>
      write(() => {
        for (const key of keys) remove.run(key);
      }),
    removeExpired: (now, limit) => write(() => removeExpired.run(now, limit).changes),
  };
}
