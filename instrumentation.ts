/** Called by the framework: once when the server starts, and for every error that nobody expected. */
import type { Instrumentation } from "next";

/** Stands the front door in front of the server. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const [
    { installFrontDoor },
    { endUnusedConnections },
    { closeWithoutLoss },
    { env },
    { app },
    { openAppDatabase },
    { makeHeldDue },
    { startPruning },
    { log },
  ] = await Promise.all([
    import("./lib/http/front-door.ts"),
    import("./lib/http/unused-connections.ts"),
    import("./lib/http/close-without-loss.ts"),
    import("./lib/env.ts"),
    import("./lib/app.ts"),
    import("./lib/database.ts"),
    import("./lib/ratings/saved-tally.ts"),
    import("./lib/pruning.ts"),
    import("./lib/log.ts"),
  ]);
  const [{ startObserving }, { startReporting }] = await Promise.all([
    import("./lib/observe/start.ts"),
    import("./lib/observe/reporting.ts"),
  ]);
  try {
    await openAppDatabase();
  } catch (err) {
    // The framework would go on, and answer every request with a server error. Who watches over the process starts it anew.
    log.fatal({ err }, "the database cannot be opened, so the server ends");
    process.exit(1);
  }
  const { watch } = await startObserving(env);
  const { database } = app(); // so that the connection to a store is there before the first request
  await makeHeldDue(database); // RATING_HOLD_DAYS may have changed
  startPruning(database, { attemptsKeptMs: env.ATTEMPTS_KEPT_DAYS * 86_400_000 }, (error) =>
    log.error({ err: error }, "what is old could not be removed"),
  );
  startReporting(env, process.env.NEXT_DEPLOYMENT_ID);
  endUnusedConnections();
  // Without a proxy nobody else would answer meanwhile.
  if (env.TRUSTED_PROXY_HOPS > 0) closeWithoutLoss();
  installFrontDoor(
    { trustedHops: env.TRUSTED_PROXY_HOPS, siteUrl: env.SITE_URL },
    { acceptsUpgrades: env.NODE_ENV === "development", watch },
  );
  // What scripts/hold-requests.mjs has left there, where it is loaded.
  const answerHeld: unknown = Reflect.get(globalThis, "weirAnswerHeld");
  if (typeof answerHeld === "function") answerHeld();
}

/** Logs an error with the route that it happened in. The address is logged without what was searched for. */
export const onRequestError: Instrumentation.onRequestError = async (error, request, context) => {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const [{ log, wasOnConsole }, { isUnavailable }, { answerOutage }] = await Promise.all([
    import("./lib/log.ts"),
    import("./db/index.ts"),
    import("./lib/http/database-outage.ts"),
  ]);
  if (isUnavailable(error) && answerOutage(error)) return;
  const { routePath, routeType } = context;
  const err = wasOnConsole(error) ? undefined : error;
  const where = { method: request.method, path: request.path.split("?")[0], routePath, routeType };
  log.error({ err, ...where }, "a request has failed");
};
