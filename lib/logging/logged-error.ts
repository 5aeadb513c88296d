/**
 * An error as the log shows it.
 * Only known properties, because errors of database and Redis clients may carry a command with its password or a
 * query with its values.
 */
interface LoggedError {
  type: string;
  message: string;
  code?: string;
  /** Next.js's id of the error, as shown to the reader. */
  digest?: string;
  stack?: string;
  cause?: LoggedError;
  errors?: LoggedError[];
}

const depthMaximum = 4;

export function loggedError(error: unknown, depth = 1): LoggedError {
  if (!(error instanceof Error))
    return { type: typeof error, message: typeof error === "string" ? error : "" };
  const isWithinDepth = depth < depthMaximum;
  return {
    type: error.name,
    message: error.message,
    ...("code" in error && typeof error.code === "string" && { code: error.code }),
    ...("digest" in error && typeof error.digest === "string" && { digest: error.digest }),
    ...(error.stack && { stack: error.stack }),
    ...(isWithinDepth && error.cause !== undefined && { cause: loggedError(error.cause, depth + 1) }),
    ...(isWithinDepth &&
      error instanceof AggregateError && {
        errors: error.errors.map((each) => loggedError(each, depth + 1)),
      }),
  };
}
