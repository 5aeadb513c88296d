/**
 * PostgreSQL: any number of nodes on one database.
 *
 * Their transactions have the effect of running one after the other: a post's row, and a lock for each limiter state,
 * exclude others until a transaction ends.
 *
 * A commit is durable before it is answered, as long as the server's `synchronous_commit` and `fsync` are on.
 */
import { type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/pg-proxy";
import { createDatabase, type Database } from "../../database.ts";
import type { Dialect, PoolFigures } from "../../dialect.ts";
import { createPool, defaultTimeouts, type Timeouts } from "./client.ts";
import { createDatabaseClock, readClock } from "./clock.ts";
import { isPostgresUnavailable, type RetryReason } from "./errors.ts";
import { limiterStateQueries } from "./limiter-states.ts";
import { namedLocks, textLock } from "./locks.ts";
import { migrate, migrationsFolder } from "./migrate.ts";
import { tables } from "./schema.ts";
import { createTokenizer, searchQueries, type Tokenizer } from "./search.ts";
import { createSession, type PostgresSession } from "./session.ts";

export { isPostgresUnavailable, type RetryReason };

export interface PostgresOptions {
  /** How many connections there may be at a time. */
  poolSize?: number | undefined;
  /** Called with the reason each time that a transaction runs again. */
  onRetry?: ((reason: RetryReason) => void) | undefined;
  timeouts?: Timeouts | undefined;
  /**
   * The clock of this node's callers, in milliseconds: `time` or another one.
   * With it, limiter states go by the database's clock at the moment: the difference of this clock is taken off.
   * Without it, they go by the callers' times.
   */
  nodeClock?: "time" | (() => number) | undefined;
}

export interface PostgresDatabase extends Database, Pick<PostgresSession, "run"> {
  poolFigures(): PoolFigures;
}

const defaultPoolSize = 10;

/**
 * Opens the database at a `postgres://` address and brings its tables up to date.
 * Rejects when it cannot be used.
 */
export async function openPostgres(
  url: string,
  { poolSize = defaultPoolSize, onRetry, timeouts = defaultTimeouts, nodeClock }: PostgresOptions = {},
): Promise<PostgresDatabase> {
  await migrate(url, migrationsFolder, timeouts);
  const pool = createPool(url, poolSize, timeouts);
  const session = createSession(pool, onRetry, timeouts);
  const readTime = async () => Number((await session.run(readClock)).rows[0]?.[0]);
  const clock = await createDatabaseClock(readTime).catch(async (error) => {
    await pool.close();
    throw error;
  });
  const tokenizer = createTokenizer();
  const ofDialect = {
    limiterStates: limiterStateQueries(session, nodeClock === "time" ? clock.time : nodeClock),
    time: clock.time,
    // A server that takes no writes refuses to lock rows, and the connection to it is dropped.
    ping: async () => void (await session.run("select key from limiter_states limit 0 for update")),
    async close() {
      void clock.stop();
      await pool.close();
      tokenizer.close();
    },
    poolFigures: pool.figures,
  };
  return {
    ...createDatabase(postgresDialect(session, tokenizer), ofDialect),
    poolFigures: pool.figures,
    run: session.run,
  };
}

function postgresDialect(session: PostgresSession, tokenizer: Tokenizer): Dialect {
  const statements = drizzle(async (text, values) => ({ rows: (await session.run(text, values)).rows }));
  const execute = async (query: SQL) => void (await statements.execute(query));
  return {
    statements,
    tables,
    session,
    search: searchQueries({ statements, tables }, tokenizer),
    execute,
    countChanged: async (query) => (await statements.execute(query)).length,
    locking: (select, lock, options) => {
      select.for(lock, options);
      return select;
    },
    lockClause: (lock) => sql.raw(` for ${lock}`),
    lockByName: (lock) => execute(namedLocks[lock]),
    lockByText: (text) => execute(textLock(text)),
    opaque: (name) => sql`${sql.placeholder(name)}`,
    now: sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
    rowId: sql`ctid`,
    // Of several nodes that remove at once, each takes other rows.
    oldAttempts: sql`(select id from attempts where at < ${sql.placeholder("at")} order by at limit ${sql.placeholder("limit")} for update skip locked)`,
    findsOldAttemptsByPost: false,
  };
}
