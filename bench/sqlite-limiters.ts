/**
 * Limiters on SQLite: the app's, rate-limiter-flexible's two, and a minimal one.
 * Each has a file.
 */
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { RateLimiterDrizzle, RateLimiterSQLite } from "rate-limiter-flexible";
import { openSqlite } from "../db/dialects/sqlite/index.ts";
import { databaseStore } from "../db/limiter-store.ts";
import { createLimiter, leakyBucket } from "../lib/limiter/index.ts";
import { type DecisionLoad, flexibleSubject, type Subject, subject, type wide } from "./decisions.ts";

export interface SqliteSide {
  sqlite: Sqlite.Database;
  decide: Subject;
}

const durationSeconds = 3_600;

/** The app's store on the app's database. */
export function weir(folder: string, { limit }: typeof wide): SqliteSide {
  const database = openSqlite(`file:${join(folder, `weir-${limit}.db`)}`);
  const limiter = createLimiter({
    algorithm: leakyBucket({ capacity: limit, leakPerSecond: 0.01 }),
    store: databaseStore(database),
  });
  const decide = subject({ consume: (key) => limiter.consume(key), isAllowed: ({ allowed }) => allowed });
  return { sqlite: database.sqlite, decide };
}

export async function flexible(folder: string, { limit }: typeof wide): Promise<SqliteSide> {
  const sqlite = openLikeTheApp(join(folder, `flexible-${limit}.db`));
  const limiter = await new Promise<RateLimiterSQLite>((resolve, reject) => {
    const created = new RateLimiterSQLite(
      {
        storeClient: sqlite,
        storeType: "better-sqlite3",
        tableName: "rate_limits",
        points: limit,
        duration: durationSeconds,
      },
      // Called once there is a table, and not before the constructor has returned.
      (error) => (error ? reject(error) : resolve(created)),
    );
  });
  return { sqlite, decide: flexibleSubject(limiter) };
}

const rateLimits = sqliteTable("rate_limits", {
  key: text().primaryKey(),
  points: integer().notNull(),
  expire: integer({ mode: "timestamp_ms" }),
});

export function flexibleDrizzle(folder: string, { limit }: typeof wide): SqliteSide {
  const sqlite = openLikeTheApp(join(folder, `drizzle-${limit}.db`));
  sqlite.exec("create table rate_limits (key text primary key, points integer not null, expire integer)");
  const limiter = new RateLimiterDrizzle({
    storeClient: drizzle(sqlite),
    schema: rateLimits,
    points: limit,
    duration: durationSeconds,
  });
  return { sqlite, decide: flexibleSubject(limiter) };
}

/**
 * It counts, and decides nothing.
 *
 * One upsert for each decision, many of them in one IMMEDIATE transaction, and awaited like the decisions of the
 * others.
 */
export function floor(folder: string, { limit }: typeof wide, perTransaction: number): SqliteSide {
  const sqlite = openLikeTheApp(join(folder, `floor-${perTransaction}-${limit}.db`));
  sqlite.exec("create table counts (key text primary key, count integer not null)");
  const upsert = sqlite.prepare<[string]>(
    "insert into counts (key, count) values (?, 1) on conflict (key) do update set count = count + 1",
  );
  const count = sqlite.transaction((keys: readonly string[]) => {
    for (const key of keys) upsert.run(key);
  });
  let started = 0;
  const decide = async ({ decisions, keys }: DecisionLoad) => {
    for (const last = started + decisions; started < last; started += perTransaction) {
      const next = (_: unknown, index: number) => keys[(started + index) % keys.length] ?? "";
      await count.immediate(Array.from({ length: perTransaction }, next));
    }
    return decisions;
  };
  return { sqlite, decide };
}

function openLikeTheApp(file: string): Sqlite.Database {
  const sqlite = new Sqlite(file);
  sqlite.pragma("journal_mode = WAL");
  sqlite.pragma("synchronous = FULL");
  sqlite.pragma("foreign_keys = ON");
  return sqlite;
}
