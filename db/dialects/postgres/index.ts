/**
 * PostgreSQL: any number of nodes upon one database. What each of them does in a transaction is done by all of them as if one
 * came after the other: a post's row, and a lock for each limiter state, keep others out until it ends.
 *
 * A commit is durable before it is answered, as long as the server's `synchronous_commit` and `fsync` are on.
 */
import type { Database, PoolFigures } from "../../types.ts";
import { type Deadlines, openConnection } from "./connection.ts";
import { isPostgresUnavailable, type RetryReason } from "./errors.ts";
import { migrate, migrationsFolder } from "./migrate.ts";
import { createPool } from "./pool.ts";
import { apiTokenQueries } from "./queries/api-tokens.ts";
import { attemptQueries } from "./queries/attempts.ts";
import { floodWindowQueries } from "./queries/flood-windows.ts";
import { limiterStateQueries } from "./queries/limiter-states.ts";
import { operationQueries } from "./queries/operations.ts";
import { postQueries } from "./queries/posts.ts";
import { ratingQueries } from "./queries/ratings.ts";
import { tallyQueries } from "./queries/tallies.ts";
import { userQueries } from "./queries/users.ts";
import { createSearch } from "./search.ts";
import { createSession } from "./session.ts";
import { statementsRunBy, withPlainErrors } from "./statements.ts";

export { isPostgresUnavailable, type RetryReason };

export interface PostgresOptions {
  /** How many connections there may be at a time. */
  poolSize?: number | undefined;
  /** Told of each transaction that begins again, and why. */
  onRetry?: ((reason: RetryReason) => void) | undefined;
}

export interface PostgresDatabase extends Database {
  poolFigures(): PoolFigures;
}

const defaultPoolSize = 10;
const deadlines: Deadlines = { connectMs: 2_000, queryMs: 5_000 };
const waitForConnectionAtMostMs = 5_000;

/** Opens the database at a `postgres://` address and brings its tables up to date. Rejects when it cannot be used. */
export async function openPostgres(
  url: string,
  { poolSize = defaultPoolSize, onRetry }: PostgresOptions = {},
): Promise<PostgresDatabase> {
  await migrate(url, migrationsFolder);
  const pool = createPool(() => openConnection(url, deadlines), {
    size: poolSize,
    waitAtMostMs: waitForConnectionAtMostMs,
  });
  const session = createSession(pool, onRetry);
  const statements = statementsRunBy(session);
  const search = createSearch();
  return {
    users: withPlainErrors(userQueries(statements, session)),
    posts: withPlainErrors(postQueries(statements, session, search)),
    ratings: withPlainErrors(ratingQueries(statements)),
    tallies: withPlainErrors(tallyQueries(statements, session)),
    floodWindows: withPlainErrors(floodWindowQueries(statements)),
    attempts: withPlainErrors(attemptQueries(statements, session)),
    limiterStates: withPlainErrors(limiterStateQueries(statements, session)),
    apiTokens: withPlainErrors(apiTokenQueries(statements)),
    operations: withPlainErrors(operationQueries(statements)),
    transaction: session.transaction,
    transactionNow: session.transactionNow,
    ping: async () => void (await session.run("select 1")),
    async close() {
      await pool.close();
      search.close();
    },
    poolFigures: pool.figures,
  };
}
