/**
 * Decisions on SQLite beside rate-limiter-flexible's two stores.
 * 1,000 keys, a file for each on one disk, all with the app's pragmas (WAL, synchronous=FULL).
 */
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { RateLimiterDrizzle, RateLimiterSQLite } from "rate-limiter-flexible";
import { openSqlite } from "../../db/dialects/sqlite/index.ts";
import { databaseStore } from "../../db/limiter-store.ts";
import { createLimiter, leakyBucket } from "../../lib/limiter/index.ts";
import { inFolder } from "../databases.ts";
import { ratioOf } from "../measure.ts";
import type { Figure } from "../table.ts";
import {
  compare,
  cpuMs,
  flexible,
  keysOf,
  type LimiterSide,
  narrowLimit,
  ours,
  requireSameDecisions,
  wideLimit,
  windowMs,
} from "./compare.ts";

interface SqliteSide {
  sqlite: Sqlite.Database;
  decide: LimiterSide;
  close(): unknown;
}

const keys = keysOf(1_000);
const duration = windowMs / 1_000;

export function sqliteFigures(): Promise<Figure[]> {
  return inFolder(async (folder) => {
    const narrow = await open(folder, narrowLimit);
    await requireSameDecisions(decidersOf(narrow));
    await close(narrow);
    const sides = await open(folder, wideLimit);
    // All rows exist before the first measurement.
    for (const { decide } of Object.values(sides)) await decide({ decisions: 1_000, keys, inFlight: 50 });
    const durable = [...(await figuresOf(sides, 1, 50)), ...(await figuresOf(sides, 50, 100))];
    for (const { sqlite } of Object.values(sides)) sqlite.pragma("synchronous = OFF");
    const unawaited = [
      ...(await figuresOf(sides, 1, 500, cpuMs)),
      ...(await figuresOf(sides, 50, 500, cpuMs)),
    ];
    await close(sides);
    return [
      ...durable,
      ...unawaited.map(({ name, value }) => ({ name: `${name}, without the disk, in CPU time`, value })),
    ];
  });
}

async function figuresOf(
  sides: Sides,
  inFlight: number,
  decisions: number,
  clock?: () => number,
): Promise<Figure[]> {
  const speeds = await compare(40, decidersOf(sides), { decisions, keys, inFlight }, clock);
  const name = `SQLite, ${inFlight === 1 ? "one" : inFlight} at a time`;
  return [
    {
      name: `${name} / its Drizzle store`,
      value: ratioOf(speeds.weir, speeds.drizzle),
      target: { atLeast: 5 },
    },
    {
      name: `${name} / its better-sqlite3 store`,
      value: ratioOf(speeds.weir, speeds.betterSqlite3),
      target: { atLeast: 1.5 },
    },
    { name: `${name} / raw upserts, one by one`, value: ratioOf(speeds.weir, speeds.upsert) },
  ];
}

type Sides = Awaited<ReturnType<typeof open>>;

async function open(folder: string, limit: number) {
  return {
    weir: weir(folder, limit),
    drizzle: onDrizzle(folder, limit),
    betterSqlite3: await onBetterSqlite3(folder, limit),
    upsert: upsert(folder, limit),
  };
}

function decidersOf({ weir, drizzle, betterSqlite3, upsert }: Sides) {
  return {
    weir: weir.decide,
    drizzle: drizzle.decide,
    betterSqlite3: betterSqlite3.decide,
    upsert: upsert.decide,
  };
}

async function close(sides: Sides): Promise<void> {
  for (const each of Object.values(sides)) await each.close();
}

function weir(folder: string, limit: number): SqliteSide {
  const database = openSqlite(`file:${join(folder, `weir-${limit}.db`)}`);
  const algorithm = leakyBucket({ capacity: limit, leakPerSecond: 0.01 });
  const decide = ours(createLimiter({ algorithm, store: databaseStore(database) }));
  return { sqlite: database.sqlite, decide, close: database.close };
}

async function onBetterSqlite3(folder: string, limit: number): Promise<SqliteSide> {
  const sqlite = openLikeTheApp(join(folder, `better-sqlite3-${limit}.db`));
  const settings = { storeClient: sqlite, storeType: "better-sqlite3", tableName: "limits" };
  const limiter = await new Promise<RateLimiterSQLite>((resolve, reject) => {
    const created = new RateLimiterSQLite({ ...settings, points: limit, duration }, (error) =>
      error ? reject(error) : resolve(created),
    );
  });
  return { sqlite, decide: flexible(limiter), close: () => sqlite.close() };
}

const limits = sqliteTable("limits", {
  key: text().primaryKey(),
  points: integer().notNull(),
  expire: integer({ mode: "timestamp_ms" }),
});

function onDrizzle(folder: string, limit: number): SqliteSide {
  const sqlite = openLikeTheApp(join(folder, `drizzle-${limit}.db`));
  sqlite.exec("create table limits (key text primary key, points integer not null, expire integer)");
  const storeClient = drizzle({ client: sqlite });
  const decide = flexible(new RateLimiterDrizzle({ storeClient, schema: limits, points: limit, duration }));
  return { sqlite, decide, close: () => sqlite.close() };
}

/** The least that a limiter can do: an upsert for each request. */
function upsert(folder: string, limit: number): SqliteSide {
  const sqlite = openLikeTheApp(join(folder, `upsert-${limit}.db`));
  sqlite.exec("create table limits (key text primary key, points integer not null)");
  const statement = sqlite.prepare<[string, number]>(
    `insert into limits (key, points) values (?, 1)
     on conflict (key) do update set points = points + 1 where points < ?`,
  );
  let started = 0;
  const decide: LimiterSide = async ({ decisions, keys }) => {
    let allowed = 0;
    for (const last = started + decisions; started < last; started += 1)
      allowed += await statement.run(keys[started % keys.length] ?? "", limit).changes;
    return allowed;
  };
  return { sqlite, decide, close: () => sqlite.close() };
}

function openLikeTheApp(file: string): Sqlite.Database {
  const sqlite = new Sqlite(file);
  sqlite.pragma("journal_mode = WAL");
  sqlite.pragma("synchronous = FULL");
  sqlite.pragma("foreign_keys = ON");
  return sqlite;
}
