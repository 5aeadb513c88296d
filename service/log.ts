/**
 * The service's log: one JSON object a line on standard output.
 * A token or the password of a store is never in it.
 */
import pino, { type DestinationStream, type Logger } from "pino";
import { loggedError } from "../lib/logging/logged-error.ts";
import { secretRemover } from "../lib/logging/without-secrets.ts";

export const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

export type Log = Logger;

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
      hooks: { streamWrite: secretRemover(secrets) },
    },
    stream,
  );
}
