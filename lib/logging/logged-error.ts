/**
 * An error as the log shows it. Errors of clients carry what they were about: the command with its password, the query
 * with its values. So only some of their properties are shown.
 */
export interface LoggedError {
  type: string;
  message: string;
  code?: string;
  /** The name under which the framework shows the error to a reader. */
  digest?: string;
  stack?: string;
  cause?: LoggedError;
  errors?: LoggedError[];
}

const depthMaximum = 4;

export function loggedError(error: unknown, depth = 1): LoggedError {
  if (!(error instanceof Error))
    return { type: typeof error, message: typeof error === "string" ? error : "" };
  const goesOn = depth < depthMaximum;
  return {
    type: error.name,
    message: error.message,
    ...("code" in error && typeof error.code === "string" && { code: error.code }),
    ...("digest" in error && typeof error.digest === "string" && { digest: error.digest }),
    ...(error.stack && { stack: error.stack }),
    ...(goesOn && error.cause !== undefined && { cause: loggedError(error.cause, depth + 1) }),
    ...(goesOn &&
      error instanceof AggregateError && {
        errors: error.errors.map((each) => loggedError(each, depth + 1)),
      }),
  };
}
