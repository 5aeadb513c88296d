/** The end of the process: SIGTERM asks for it, the framework closes the server, waits for what is under way, and exits. */
import { Server } from "node:http";
import { within } from "./deadline.ts";

// Kept on the global object: the framework may load this module more than once in a process.
const kept: { weirIsStopping?: boolean } & typeof globalThis = globalThis;

/** Whether the process has been told to end. */
export function isStopping(): boolean {
  return kept.weirIsStopping ?? false;
}

/** From now on `isStopping` knows of a SIGTERM. */
export function noticeStop(): void {
  // Before the framework's own listener, which begins to close the server.
  process.prependOnceListener("SIGTERM", () => {
    kept.weirIsStopping = true;
  });
}

/**
 * Runs `work` when an HTTP server of this process has closed, before whoever closed it is told and exits; `work` may take
 * `timeoutMs` milliseconds, and what becomes of it does not matter.
 */
export function whenClosed(timeoutMs: number, work: () => Promise<void>): void {
  const { prototype } = Server;
  const { close } = prototype;
  prototype.close = function (this: Server, callback?: (error?: Error) => void) {
    const ended = (error?: Error) => {
      void within(timeoutMs, work)
        .catch(() => {})
        .then(() => callback?.(error));
    };
    return Reflect.apply(close, this, [ended]);
  };
}
