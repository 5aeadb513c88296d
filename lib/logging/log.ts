/**
 * The log: one JSON object per line on standard output.
 * Lines below `LOG_LEVEL` are left out; each has the id of the current request. Never log a body, a header, a password
 * or an address.
 */
import { stripVTControlCharacters } from "node:util";
import pino, { type DestinationStream } from "pino";
import { requestId } from "../request/current-request.ts";
import { env } from "../settings/env.ts";
import { smtpServerFrom } from "../settings/mail-settings.ts";
import { bufferedDestination } from "./buffered-destination.ts";
import { createLog } from "./create-log.ts";

/** Redacted if logged by mistake. */
const redacted = ["password", "email", "address", "token", "cookie", "authorization", "headers", "body"];

/** A shorter one could be a part of any line, such as of its numbers. */
const mailPasswordMinimum = 8;

const passwordIn = (url: string) => (URL.canParse(url) ? new URL(url).password : "");
// Kept on the global object: the framework loads this module more than once in a process.
const kept: { weirSecrets?: string[]; weirConsoleErrors?: WeakSet<Error> } & typeof globalThis = globalThis;
kept.weirSecrets ??= [
  env.AUTH_SECRET ?? "",
  env.NEXT_SERVER_ACTIONS_ENCRYPTION_KEY ?? "",
  env.METRICS_TOKEN ?? "",
  passwordIn(env.REDIS_URL),
  passwordIn(env.DATABASE_URL),
  ...mailPasswordsIn(env.MAIL_URL ?? ""),
];
const secrets = kept.weirSecrets;

/** Removes the password of a mail server's address from all lines from now on. */
export function hideMailPassword(url: string): void {
  secrets.push(...mailPasswordsIn(url).filter((password) => !secrets.includes(password)));
}

/** As it is written in the address, and as it is. */
function mailPasswordsIn(url: string): string[] {
  const passwords = [passwordIn(url), smtpServerFrom(url)?.credentials?.password ?? ""];
  return passwords.filter(({ length }) => length >= mailPasswordMinimum);
}

/** A log on a stream, by default standard output. */
export function logOn(stream?: DestinationStream) {
  return createLog({
    level: env.LOG_LEVEL,
    secrets,
    stream,
    mixin: () => ({ requestId: requestId() }),
    redact: redacted.flatMap((name) => [name, `*.${name}`]),
  });
}

export const log = logOn();

/**
 * The log for the lines about requests.
 * They have fixed fields, of which none is redacted: a search for secrets takes half the time of a line.
 */
export const requestLog = createLog({
  level: env.LOG_LEVEL,
  secrets,
  stream: bufferedDestination(pino.destination(1)),
});

kept.weirConsoleErrors ??= new WeakSet();
const consoleErrors = kept.weirConsoleErrors;

/**
 * Redirects the console's errors and warnings to this log.
 * The framework's as well: the console would show all that an error carries.
 */
export function logConsole(): void {
  for (const method of ["error", "warn"] as const)
    console[method] = (...values: unknown[]) => {
      const err = values.find((value) => value instanceof Error);
      if (err) consoleErrors.add(err);
      const text = values.filter((value) => typeof value === "string").join(" ");
      log[method]({ err }, stripVTControlCharacters(text).trim() || undefined);
    };
}

/** Whether an error has come to the log by way of the console. */
export function wasOnConsole(error: unknown): boolean {
  return error instanceof Error && consoleErrors.has(error);
}
