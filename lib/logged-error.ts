/**
 * An error as the log shows it. Errors of clients carry what they were about: the command with its password, the query
 * with its values, the address with its credentials. So only some of their properties are shown, and of texts what is no
 * secret.
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

/** A shorter one would take words apart. */
const secretMinimum = 4;

/** Makes the serializer; `secrets` are values that no text may hold. */
export function errorSerializer(secrets: readonly string[]): (error: unknown) => LoggedError {
  const hidden = secrets.filter(({ length }) => length >= secretMinimum);
  const withoutSecrets = (text: string) =>
    hidden
      .reduce((safe, secret) => safe.replaceAll(secret, "[secret]"), text)
      // Who logs in to a host: postgres://weir:password@host
      .replace(/(\w:\/\/)[^\s/"']*@/g, "$1[secret]@");

  function serialize(error: unknown, depth: number): LoggedError {
    if (!(error instanceof Error))
      return { type: typeof error, message: withoutSecrets(typeof error === "string" ? error : "") };
    const goesOn = depth < depthMaximum;
    return {
      type: error.name,
      message: withoutSecrets(error.message),
      ...("code" in error && typeof error.code === "string" && { code: error.code }),
      ...("digest" in error && typeof error.digest === "string" && { digest: error.digest }),
      ...(error.stack && { stack: withoutSecrets(error.stack) }),
      ...(goesOn && error.cause !== undefined && { cause: serialize(error.cause, depth + 1) }),
      ...(goesOn &&
        error instanceof AggregateError && {
          errors: error.errors.map((each) => serialize(each, depth + 1)),
        }),
    };
  }
  return (error) => serialize(error, 1);
}
