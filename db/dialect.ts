/**
 * The interface between the queries and a database;
 * each folder in `dialects/` provides it.
 */
import type { Query, SQL } from "drizzle-orm";
import type { PgRemoteDatabase } from "drizzle-orm/pg-proxy";
import type { Tables } from "./schema/index.ts";
import type { PostInput } from "./types.ts";

/** Drizzle's builders, typed as PostgreSQL's. */
export type Statements = PgRemoteDatabase<Record<string, never>>;

/** The mode of a row lock; in SQLite the one writer locks everything. */
type RowLock = "update" | "no key update" | "key share";

interface LockOptions {
  /** Skips rows that another transaction has locked (SKIP LOCKED). */
  skipLocked?: true;
  /** The one of joined tables whose rows are locked. */
  of?: Tables["users"];
}

/** Locks by name, for rows that do not exist yet or may be any of many. */
export type NamedLock =
  | "first user"
  | "administrators"
  | "administrators, shared"
  | "site settings"
  | "imports"
  | "media folder";

export interface Dialect {
  statements: Statements;
  tables: Tables;
  session: DatabaseSession;
  search: Search;
  /** Runs a statement that returns no rows. */
  execute(query: SQL): Promise<void>;
  /** Runs a statement that returns the changed rows; resolves to their number. */
  countChanged(query: SQL): Promise<number>;
  /** A select that locks the rows it finds. */
  locking<Select extends { for(lock: RowLock, options?: LockOptions): unknown }>(
    select: Select,
    lock: RowLock,
    options?: LockOptions,
  ): Select;
  /** The end of a select in SQL that locks the rows it finds. */
  lockClause(lock: RowLock): SQL;
  /** Held until the transaction ends. */
  lockByName(lock: NamedLock): Promise<void>;
  /** As `lockByName`, of any text. */
  lockByText(text: string): Promise<void>;
  /** A placeholder whose value must not influence the plan. */
  opaque(name: string): SQL;
  /**
   * The time by the database's clock, in milliseconds.
   * All processes on the database share it.
   */
  now: SQL;
  /** A row's place in its table. */
  rowId: SQL;
  /** Selects the ids of attempts from before `at`, at most `limit` of them. */
  oldAttempts: SQL;
  /**
   * Whether `oldAttempts` takes only those of a range of posts.
   * Beyond number `after` and up to `last`.
   */
  findsOldAttemptsByPost: boolean;
}

export interface TransactionOptions {
  /**
   * Names the locks that the transaction will take.
   * Transactions with the same key wait for each other before they enter the database, and may share a commit there.
   */
  lockKey?: string | undefined;
}

/** The connections, those in use, and the callers that wait for one. */
export interface PoolFigures {
  size: number;
  busy: number;
  waiting: number;
}

/** Runs each statement in its asynchronous context's transaction, or on its own. */
export interface DatabaseSession {
  isInTransaction(): boolean;
  transaction<T>(work: () => Promise<T>, options?: TransactionOptions): Promise<T>;
  transactionNow<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Returns a function that writes a row, whose result is not needed.
   *
   * In a transaction PostgreSQL gets the row later: with the next statement or, at the end, with the rows of all
   * transactions that share the commit. Until then it is unsent. When it fails, so does the transaction.
   */
  rowWriter<Row extends RowValues>(write: RowWrite<Row>): (row: Row) => Promise<void>;
  /**
   * Runs `work`, one query whose result depends on no written rows but these.
   * Unless one of them is unsent, PostgreSQL gets the query before the unsent rows.
   */
  readRows<T>(rows: readonly WrittenRow[], work: () => Promise<T>): Promise<T>;
  /**
   * Values of rows that transactions have locked.
   * Transactions that share a commit find the values of those before them, until a statement other than those above is
   * sent. Nothing is kept outside of a transaction, and on SQLite.
   */
  lockedValues<T>(): LockedValues<T>;
}

/** A row's values by the names of a statement's placeholders. */
export type RowValues = Record<string, unknown>;

/** A row by its table and its key there. */
export type WrittenRow = readonly [table: string, key: string | number];

/**
 * A write of one row.
 * In PostgreSQL those of different keys may be one statement, unless they can be merged.
 */
export interface RowWrite<Row extends RowValues> {
  table: string;
  /** Writes of one row have the same key; different rows may share one. */
  keyOf(row: Row): string | number;
  /**
   * One write in place of two of the same key.
   * For rows that many transactions change.
   */
  merged?(earlier: Row, later: Row): Row;
  /** Prepared by Drizzle: an INSERT of one row, or an UPDATE. */
  statement: { execute(row: Row): PromiseLike<unknown>; getQuery(): Query };
}

/**
 * Returns the values of now by their keys. See `lockedValues`.
 * Get the map before the result of a query is awaited, since another statement may replace it meanwhile.
 */
export type LockedValues<T> = () => Map<string | number, T>;

/** The full-text index of posts. */
export interface Search {
  /** On `posts.id`, with the placeholders that `valuesFor` fills. */
  condition: SQL;
  /**
   * For posts with all of these folded words, the last at least as a prefix.
   * Undefined when none can match.
   */
  valuesFor(words: readonly string[]): Record<string, unknown> | undefined;
  insert(postId: number, post: PostInput): Promise<void>;
  update(postId: number, post: PostInput): Promise<void>;
}
