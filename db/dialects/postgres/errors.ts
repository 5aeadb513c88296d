/** What PostgreSQL's errors mean to whoever asked. */
import type postgres from "postgres";

const unavailableName = "PostgresUnavailableError";

/** The database did not answer, or not in time. */
export class PostgresUnavailableError extends Error {
  override name = unavailableName;
}

// Neither is known by its class: the framework loads modules more than once in a process, and each time there is another.
function isPostgresError(error: unknown): error is postgres.PostgresError {
  return error instanceof Error && "severity" in error && "code" in error;
}

const unavailableStates = [
  /^08(?!P01)/, // no connection; 08P01 is a fault of ours
  /^53/, // no disk, no memory, no connection left
  /^57P0[1-5]$/, // shutting down, starting, gone
  /^57014$/, // took too long
  /^58/, // the system below it failed
  /^25006$/, // read-only
  /^28|^3D000$/, // lets us not in, or has no such database: the address is wrong, or the server is being set up
  /^25P0[34]$/, // a transaction was left alone for too long
  /^55P03$/, // a lock could not be had
  /^40001$|^40P01$/, // in each other's way, again and again
];

const networkCodes =
  /^(CONNECT_TIMEOUT|CONNECTION_(CLOSED|ENDED|DESTROYED)|ECONN\w+|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN|ENOENT|ERR_STREAM_\w+|ERR_SOCKET_CLOSED)$/;

/** Whether an error says that PostgreSQL cannot be used just now: out of reach, closed to us, starting, full, read-only, or too busy. */
export function isPostgresUnavailable(error: unknown): boolean {
  if (error instanceof Error && error.name === unavailableName) return true;
  return isPostgresError(error) && unavailableStates.some((state) => state.test(error.code));
}

/** Whether PostgreSQL has refused something, and listens on. */
export function isAnswer(error: unknown): boolean {
  return isPostgresError(error) && !/^(FATAL|PANIC)$/.test(error.severity);
}

/** As an error that says so when it is one of the network's; as it is otherwise. */
export function namedUnavailable(error: unknown): unknown {
  if (isPostgresError(error)) {
    // These quote a row's values, and an error may be logged.
    delete error.detail;
    delete error.where;
    return error;
  }
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (!networkCodes.test(code)) return error;
  return new PostgresUnavailableError(`PostgreSQL is out of reach: ${code}`, { cause: error });
}

export type RetryReason = "serialization" | "deadlock" | "duplicate";

const retryable: Record<string, RetryReason> = {
  "40001": "serialization",
  "40P01": "deadlock",
  // Somebody saved the same meanwhile: the next run sees it.
  "23505": "duplicate",
};

/** Why a transaction that failed with this error is worth another run; undefined when it is not. */
export function retryReason(error: unknown): RetryReason | undefined {
  return isPostgresError(error) ? retryable[error.code] : undefined;
}

/** Whether the error is that of a transaction in which a query has failed before. */
export function isAfterFailure(error: unknown): boolean {
  return isPostgresError(error) && error.code === "25P02";
}
