/** What the app needs beside Next.js: its database, and work that goes on in the background. */

import { startPruning } from "../db/pruning.ts";
import { app } from "../lib/app.ts";
import { database, openAppDatabase } from "../lib/database.ts";
import { log, logConsole } from "../lib/logging/log.ts";
import { within } from "../lib/observe/deadline.ts";
import { setFloodFigures } from "../lib/observe/metrics.ts";
import { startReporting } from "../lib/observe/reporting.ts";
import { makeHeldDue } from "../lib/ratings/saved-tally.ts";
import type { Settings } from "../lib/settings/env.ts";

/** How long each piece of work may take when the server ends. */
const endMaximumMs = 2_000;
/** Upper bound of the held windows that are counted. */
const heldWindowsMaximum = 1_000;

export interface RunningApp {
  /** Starts this node's regular reports to the database; `version` names the build. */
  startReporting(version: string | undefined): void;
  /** Finishes: the node's last report, the last traces. Never rejects. */
  end(): Promise<void>;
}

/** Opens the database and starts the background work; rejects when the database cannot be opened. */
export async function startApp(settings: Settings): Promise<RunningApp> {
  const atEnd: (() => Promise<unknown>)[] = [];
  if (settings.NODE_ENV === "production") logConsole();
  if (settings.OTEL_EXPORTER_OTLP_ENDPOINT) {
    const { startTracing } = await import("../lib/observe/tracing.ts");
    atEnd.push(startTracing(settings.OTEL_EXPORTER_OTLP_ENDPOINT).flush);
  }
  await openAppDatabase();
  app(); // connects to the limiter store before the first request
  await makeHeldDue(database()); // RATING_HOLD_DAYS may have changed
  setFloodFigures(async () => {
    const held = await database().floodWindows.byStatus("held", heldWindowsMaximum);
    const running = held.filter(({ window }) => window.closedAt === null).length;
    return { running, over: held.length - running };
  });
  startPruning(database(), { attemptsKeptMs: settings.ATTEMPTS_KEPT_DAYS * 86_400_000 }, (err) =>
    log.error({ err }, "old records could not be removed"),
  );
  return {
    startReporting(version) {
      atEnd.push(startReporting(settings, version).leave);
    },
    async end() {
      await Promise.allSettled(atEnd.map((work) => within(endMaximumMs, work)));
    },
  };
}
