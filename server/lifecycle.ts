/**
 * The start and the end of the process, between server and app.
 *
 * The app is bundled by Next.js, the server is not: so that modules such as the database's are loaded once, the app
 * starts itself, in `instrumentation.ts`.
 */
import { log } from "../lib/logging/log.ts";
import { within } from "../lib/observe/deadline.ts";

interface Lifecycle {
  appStarted: PromiseWithResolvers<void>;
  listening: PromiseWithResolvers<number>;
  shutdownWork: (() => Promise<unknown>)[];
}

// On the global object: the build bundles a copy of this module, and the server loads it as it is.
const shared: { weirLifecycle?: Lifecycle } & typeof globalThis = globalThis;
shared.weirLifecycle ??= {
  appStarted: Promise.withResolvers(),
  listening: Promise.withResolvers(),
  shutdownWork: [],
};
const lifecycle = shared.weirLifecycle;

/** Resolves when the app can handle requests, rejects when it could not start. */
export const appStarted: Promise<void> = lifecycle.appStarted.promise;

/** For the app: it can handle requests once `start` resolves. */
export function reportAppStart(start: Promise<void>): void {
  lifecycle.appStarted.resolve(start);
}

/** Resolves to the server's port when it listens. */
export const listening: Promise<number> = lifecycle.listening.promise;

/** For the server: it listens on this port. */
export function reportListening(port: number): void {
  lifecycle.listening.resolve(port);
}

/** For the app: `work` is to be done once the last request has been answered. */
export function atShutdown(work: () => Promise<unknown>): void {
  lifecycle.shutdownWork.push(work);
}

/**
 * Runs the tasks of `atShutdown` for at most `timeoutMs`.
 * Logs those that fail or take longer.
 */
export async function doShutdownWork(timeoutMs: number): Promise<void> {
  await Promise.all(
    lifecycle.shutdownWork.map((work) =>
      within(timeoutMs, work).catch((error: unknown) => log.warn({ err: error }, "work at the end failed")),
    ),
  );
}
