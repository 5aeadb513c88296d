import pino, { type DestinationStream, type Logger, type LoggerOptions } from "pino";
import type { LogLevel } from "./log-levels.ts";
import { loggedError } from "./logged-error.ts";
import { secretRemover } from "./without-secrets.ts";

export type Log = Logger;

interface LogSettings extends Pick<LoggerOptions, "mixin" | "redact"> {
  level: LogLevel;
  /** Removed from all lines. */
  secrets: readonly string[];
  /** Default: standard output. */
  stream?: DestinationStream | undefined;
}

/** Creates a log: one JSON object a line. */
export function createLog({ secrets, stream = pino.destination(1), ...options }: LogSettings): Log {
  return pino(
    {
      ...options,
      base: null,
      serializers: { err: loggedError },
      hooks: { streamWrite: secretRemover(secrets) },
    },
    stream,
  );
}
