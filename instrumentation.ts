/** Called by the framework: once when the server starts, and for every error that nobody expected. */
import type { Instrumentation } from "next";

/** Stands the front door in front of the server. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const [
    { installFrontDoor },
    { endUnusedConnections },
    { env },
    { app },
    { openAppDatabase },
    { makeHeldDue },
    { startPruning },
    { log },
  ] = await Promise.all([
    import("./lib/http/front-door.ts"),
    import("./lib/http/unused-connections.ts"),
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
  await openAppDatabase();
  const { watch } = await startObserving(env);
  const { database } = app(); // so that the connection to a store is there before the first request
  await makeHeldDue(database); // RATING_HOLD_DAYS may have changed
  startPruning(database, { attemptsKeptMs: env.ATTEMPTS_KEPT_DAYS * 86_400_000 }, (error) =>
    log.error({ err: error }, "what is old could not be removed"),
  );
  startReporting(env, process.env.NEXT_DEPLOYMENT_ID);
  endUnusedConnections();
  installFrontDoor(
    { trustedHops: env.TRUSTED_PROXY_HOPS, siteUrl: env.SITE_URL },
    { acceptsUpgrades: env.NODE_ENV === "development", watch },
  );
}

/** Logs an error with the route that it happened in. The address is logged without what was searched for. */
export const onRequestError: Instrumentation.onRequestError = async (error, request, context) => {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { log, wasOnConsole } = await import("./lib/log.ts");
  const { routePath, routeType } = context;
  const err = wasOnConsole(error) ? undefined : error;
  const where = { method: request.method, path: request.path.split("?")[0], routePath, routeType };
  log.error({ err, ...where }, "a request has failed");
};
