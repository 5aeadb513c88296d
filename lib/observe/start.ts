/** Starts logs, metrics and traces with the server. */
import { database } from "../database.ts";
import type { Settings } from "../env.ts";
import { logConsole } from "../log.ts";
import { setFloodFigures } from "./metrics.ts";
import { watchRequests } from "./requests.ts";
import { noticeStop, whenClosed } from "./stopping.ts";

/** How long sending the last traces may delay the shutdown. */
const flushMaximumMs = 2_000;
/** Upper bound of the held windows that are counted. */
const heldWindowsMaximum = 1_000;

/** Starts traces, when they are wanted, and the rest; resolves to what the front door is to tell of each request. */
export async function startObserving(
  settings: Pick<Settings, "NODE_ENV" | "OTEL_EXPORTER_OTLP_ENDPOINT" | "TRUSTED_PROXY_HOPS">,
) {
  noticeStop();
  if (settings.NODE_ENV === "production") logConsole();
  if (settings.OTEL_EXPORTER_OTLP_ENDPOINT) {
    const { startTracing } = await import("./tracing.ts");
    const { flush } = startTracing(settings.OTEL_EXPORTER_OTLP_ENDPOINT);
    whenClosed(flushMaximumMs, flush);
  }
  setFloodFigures(async () => {
    const held = await database().floodWindows.byStatus("held", heldWindowsMaximum);
    const running = held.filter(({ window }) => window.closedAt === null).length;
    return { running, over: held.length - running };
  });
  return { watch: watchRequests({ trustedHops: settings.TRUSTED_PROXY_HOPS }) };
}
