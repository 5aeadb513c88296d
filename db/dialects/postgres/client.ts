// Over 200 lines: sending, pipelining and failing share one connection.

/**
 * Clients of `pg` in its pipeline mode.
 *
 * Statements that are sent together reach the server together, and run in order.
 *
 * A query without an answer in time ends its connection, so that no caller waits forever for a server that hangs.
 */
import { Client, type ClientConfig, Pool, type PoolClient } from "pg";
import type { PoolFigures } from "../../dialect.ts";
import { PostgresUnavailableError, toUnavailable } from "./errors.ts";

type Single = string | number | boolean | null;
/** A statement's parameter. */
type Value = Single | readonly Single[];

export interface Result {
  /** Each an array. */
  rows: unknown[][];
  command: string;
}

/** The time limits, in milliseconds. */
export const defaultTimeouts = {
  connect: 2_000,
  query: 5_000,
  freeConnection: 5_000,
  lockKey: 5_000,
  /**
   * How long transactions with the same lock key join one.
   * Other nodes wait for its locks.
   */
  joining: 100,
  /**
   * How long the work of a transaction with a lock key may take.
   * Others with its key wait for it. Longer than `lock_timeout` and `statement_timeout`, which its statements may take,
   * and shorter than `lockKey` and `idle_in_transaction_session_timeout`, which would refuse the others, too.
   */
  work: 4_500,
  /**
   * The longest life of a connection.
   * After a failover, connections to the old server end by then even where it still answers.
   */
  connectionLife: 15 * 60_000,
  /** Time limits on the server, for nodes that hang in the middle of a transaction. */
  server: {
    lock_timeout: 3_000,
    statement_timeout: 4_000,
    idle_in_transaction_session_timeout: 5_000,
  },
};
export type Timeouts = typeof defaultTimeouts;

/** For a command that reads or writes whole tables: it takes as long as it takes. */
export const commandTimeouts: Timeouts = {
  ...defaultTimeouts,
  query: 30 * 60_000,
  work: 30 * 60_000,
  server: { lock_timeout: 0, statement_timeout: 0, idle_in_transaction_session_timeout: 0 },
};

const closeTimeoutMs = 2_000;

/** The numbers of PostgreSQL's types that are numbers here. */
const numberTypes = { bigint: 20, numeric: 1700 };

function configFor(url: string, { query, server }: Timeouts): ClientConfig {
  return {
    connectionString: withLibpqModes(url),
    application_name: "weir",
    query_timeout: query,
    pipeline: true,
    ...server,
  };
}

/**
 * The address with `sslmode` as libpq reads it.
 * `require` encrypts and checks no certificate.
 */
function withLibpqModes(url: string): string {
  const parsed = new URL(url);
  if (parsed.searchParams.has("sslmode")) parsed.searchParams.set("uselibpqcompat", "true");
  return parsed.href;
}

/** The pool has one option for this timeout and its own, which is longer. */
function clientWithin(connectTimeoutMs: number): typeof Client {
  return class extends Client {
    constructor(config?: ClientConfig) {
      super({ ...config, connectionTimeoutMillis: connectTimeoutMs });
    }
  };
}

function prepareClient(client: Client): void {
  for (const type of Object.values(numberTypes)) client.setTypeParser(type, Number);
  // The running query rejects with it too; without a listener it would end the process.
  client.on("error", () => {});
}

export interface ConnectionPool {
  /**
   * Rejects with a `PostgresUnavailableError` without a connection.
   * Then none is free in time, or none can be made.
   */
  connect(): Promise<PoolClient>;
  figures(): PoolFigures;
  /**
   * Ends the idle connections at once, the others when they are released.
   * Rejects the waiting calls of `connect`.
   */
  close(): Promise<void>;
}

export function createPool(url: string, size: number, timeouts = defaultTimeouts): ConnectionPool {
  // Idle connections stay: they know the prepared statements.
  const pool = new Pool({
    ...configFor(url, timeouts),
    Client: clientWithin(timeouts.connect),
    max: size,
    connectionTimeoutMillis: timeouts.freeConnection,
    idleTimeoutMillis: 0,
    maxLifetimeSeconds: timeouts.connectionLife / 1_000,
  });
  const idle = new Set<PoolClient>();
  const rejectWaiting = new Set<(error: Error) => void>();
  let closed: Promise<void> | undefined;
  const closedError = () => new PostgresUnavailableError("The database is closed");
  pool.on("connect", prepareClient);
  pool.on("acquire", (client) => idle.delete(client));
  pool.on("release", (_error, client) => {
    if (closed === undefined) idle.add(client);
    else boundEnd(client);
  });
  pool.on("remove", (client) => idle.delete(client));
  // An idle connection was lost: the pool replaces it.
  pool.on("error", () => {});

  return {
    connect: () =>
      new Promise((resolve, reject) => {
        if (closed !== undefined) return reject(closedError());
        rejectWaiting.add(reject);
        pool.connect().then(
          (client) => {
            if (rejectWaiting.delete(reject)) resolve(client);
            else client.release();
          },
          (error: unknown) => {
            rejectWaiting.delete(reject);
            reject(toUnavailable(error));
          },
        );
      }),
    figures: () => ({ size, busy: pool.totalCount - pool.idleCount, waiting: pool.waitingCount }),
    close() {
      if (closed !== undefined) return closed;
      for (const reject of rejectWaiting) reject(closedError());
      rejectWaiting.clear();
      for (const client of idle) boundEnd(client);
      closed = pool.end();
      return closed;
    },
  };
}

export interface QueryOptions {
  values?: readonly unknown[] | undefined;
  /** Under which the statement is prepared on its connection. */
  name?: string | undefined;
  /** As long as usual when absent. */
  timeoutMs?: number | undefined;
}

/** Runs one statement, or several without values. */
export async function query(
  client: Client,
  text: string,
  { values, name, timeoutMs }: QueryOptions = {},
): Promise<Result> {
  const config = {
    text,
    ...(values && { values: values.map(storable) }),
    ...(name && { name }),
    ...(timeoutMs && { query_timeout: timeoutMs }),
    rowMode: "array" as const,
  };
  try {
    const result: Result | Result[] = await client.query<unknown[]>(config);
    // Of several statements, that of the last one.
    return Array.isArray(result) ? (result.at(-1) ?? { rows: [], command: "" }) : result;
  } catch (error) {
    throw toUnavailable(error);
  }
}

/** One connection for a tool, outside of any pool. */
export interface SingleConnection {
  query(text: string, values?: readonly Value[]): Promise<unknown[][]>;
  end(): Promise<void>;
}

export async function openConnection(
  url: string,
  timeoutMs: number,
  timeouts = defaultTimeouts,
): Promise<SingleConnection> {
  const BoundedClient = clientWithin(timeouts.connect);
  const client = new BoundedClient({ ...configFor(url, timeouts), query_timeout: timeoutMs });
  prepareClient(client);
  try {
    await client.connect();
  } catch (error) {
    throw toUnavailable(error);
  }
  return {
    query: async (text, values) => (await query(client, text, { values })).rows,
    end() {
      boundEnd(client);
      return client.end();
    },
  };
}

/**
 * Closes the socket of a client that is about to end, after a while.
 * A server that hangs would not close it.
 */
function boundEnd(client: Client): void {
  const timeout = setTimeout(() => client.connection.stream.destroy(), closeTimeoutMs);
  timeout.unref();
  client.once("end", () => clearTimeout(timeout));
}

function storable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(storable);
  return typeof value === "string" ? storableText(value) : value;
}

/**
 * A text as PostgreSQL keeps it.
 * U+0000 and half of a surrogate pair become the replacement character.
 */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}
