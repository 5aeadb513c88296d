/** The meaning of PostgreSQL's errors for the caller. */
import type { DatabaseError } from "pg";

const unavailableName = "PostgresUnavailableError";

/** The database did not answer, or not in time. */
export class PostgresUnavailableError extends Error {
  override name = unavailableName;
}

const notCommittedName = "NotCommittedError";

/** PostgreSQL has rolled back a transaction instead of committing it. */
export class NotCommittedError extends Error {
  override name = notCommittedName;

  constructor() {
    super("PostgreSQL did not commit");
  }
}

// Neither is recognised by its class: the framework loads modules more than once in a process, each time with another.
function isPostgresError(error: unknown): error is DatabaseError & { code: string; severity: string } {
  return error instanceof Error && "severity" in error && "code" in error;
}

const unavailableStates = [
  /^08(?!P01)/, // no connection; 08P01 is a fault of ours
  /^53/, // no disk, no memory, no connection left
  /^57P0[1-5]$/, // shutting down, starting, gone
  /^57014$/, // took too long
  /^58/, // the system below it failed
  /^25006$/, // read-only
  /^28|^3D000$/, // refuses the login, or has no such database: the address is wrong, or the server is being set up
  /^25P0[34]$/, // a transaction was left alone for too long
  /^55P03$/, // a lock could not be had
  /^40001$|^40P01$/, // in each other's way, again and again
];

const networkCodes =
  /^(ECONN\w+|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN|ENOENT)$/;

/** Errors of `pg` without a code, and their meaning. */
const clientMessages: readonly (readonly [RegExp, string])[] = [
  [/^timeout exceeded when trying to connect$/, "No connection to PostgreSQL was free in time"],
  [/^Query read timeout$/, "PostgreSQL did not answer in time"],
  [
    /^(timeout expired|Connection terminated due to connection timeout)$/,
    "PostgreSQL is out of reach: it did not answer in time",
  ],
  [
    /^(Connection terminated|Client has encountered a connection error|Client was closed)/,
    "The connection to PostgreSQL was closed",
  ],
  [/^Cannot use a pool after calling end/, "The database is closed"],
];

/**
 * Whether an error means that PostgreSQL cannot be used just now.
 * Out of reach, closed to us, starting, full, read-only, or too busy.
 */
export function isPostgresUnavailable(error: unknown): boolean {
  if (error instanceof Error && error.name === unavailableName) return true;
  return isPostgresError(error) && unavailableStates.some((state) => state.test(error.code));
}

/**
 * Whether the server does not take writes.
 * After a failover the old primary is a replica.
 */
export function isReadOnly(error: unknown): boolean {
  return isPostgresError(error) && error.code === "25006";
}

/** Whether a lock could not be acquired in time. */
export function isLockTimeout(error: unknown): boolean {
  return isPostgresError(error) && error.code === "55P03";
}

/** Whether PostgreSQL has refused something, and the connection can be used on. */
export function isAnswer(error: unknown): boolean {
  if (error instanceof Error && error.name === notCommittedName) return true;
  return isPostgresError(error) && !/^(FATAL|PANIC)$/.test(error.severity);
}

/**
 * A `PostgresUnavailableError` for a network error or a lost connection.
 * Any other error is returned as it is.
 */
export function toUnavailable(error: unknown): unknown {
  if (isPostgresError(error)) {
    // These quote a row's values, and an error may be logged.
    error.detail = undefined;
    error.where = undefined;
    return error;
  }
  if (!(error instanceof Error)) return error;
  if ("code" in error && networkCodes.test(String(error.code)))
    return new PostgresUnavailableError(`PostgreSQL is out of reach: ${error.code}`, { cause: error });
  const message = clientMessages.find(([pattern]) => pattern.test(error.message))?.[1];
  return message === undefined ? error : new PostgresUnavailableError(message, { cause: error });
}

export type RetryReason = "serialization" | "deadlock" | "duplicate" | "stale";

const retryable: Record<string, RetryReason> = {
  "40001": "serialization",
  "40P01": "deadlock",
  // Another transaction saved the same meanwhile: the next run sees it.
  "23505": "duplicate",
  // A prepared statement from before a migration, or lost by its connection. PostgreSQL refused to run it.
  "0A000": "stale",
  "26000": "stale",
  "42804": "stale",
};

/**
 * Why a transaction that failed with this error is worth another run.
 * Undefined when it is not.
 */
export function retryReason(error: unknown): RetryReason | undefined {
  return isPostgresError(error) ? retryable[error.code] : undefined;
}

/**
 * Whether the error may result from an earlier failure in its transaction.
 * PostgreSQL refuses the statements that follow, and a statement that it refused to prepare is missing at the next use.
 */
export function isAfterFailure(error: unknown): boolean {
  return isPostgresError(error) && /^(25P02|26000)$/.test(error.code);
}
