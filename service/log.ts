/**
 * The service's log: one JSON object a line on standard output.
 * A token or the password of a store is never in it.
 */
import pino, { type DestinationStream, type Logger } from "pino";
import { loggedError } from "../lib/logging/logged-error.ts";

export const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

export type Log = Logger;

/** A shorter one would take words apart. */
const secretMinimum = 4;

/** `secrets` are replaced. */
export function createLog(
  level: LogLevel,
  secrets: readonly string[],
  stream: DestinationStream = pino.destination(1),
): Log {
  return pino(
    {
      level,
      base: null,
      serializers: { err: loggedError },
      hooks: { streamWrite: (line) => withoutSecrets(line, secrets) },
    },
    stream,
  );
}

/**
 * The same text without secrets, and without who logs in to a host.
 * In redis://:password@host the password is one.
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter(({ length }) => length >= secretMinimum)
    .map((secret) => JSON.stringify(secret).slice(1, -1))
    .reduce((safe, secret) => safe.replaceAll(secret, "[secret]"), text)
    .replace(/(\w:\/\/)[^\s/"']*@/g, "$1[secret]@");
}
