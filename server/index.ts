/**
 * The server: Next.js behind our own HTTP server.
 * It listens on the address and port of the settings HOST and PORT.
 *
 *   node server/index.ts [--dev]
 *
 * The server listens once it can answer, and then prints its address as one line, "Weir is ready on http://…", and the
 * networks that can reach it as another. It sends its port to a parent process that opened a channel. SIGTERM and
 * SIGINT stop it when the requests in flight are answered; a second one ends it at once.
 */
import { createServer } from "node:http";
import { isIPv6 } from "node:net";
import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import next from "next";
import { renderToStaticMarkup } from "react-dom/server";
import { isSecondSignal } from "../lib/http/second-signal.ts";
import { type Bounds, createHttpServer } from "../lib/http/server.ts";
import { log, logConsole } from "../lib/logging/log.ts";
import { provideStaticMarkup } from "../lib/request/static-markup.ts";
import { mediaFolderPath } from "../lib/settings/data-folder.ts";
import { env } from "../lib/settings/env.ts";
import { siteLocales } from "../lib/site/index.ts";
import { appStarted, atShutdown, doShutdownWork, reportListening } from "./lifecycle.ts";
import { createRequestHandler, replyTo } from "./request-handler.ts";

const {
  values: { dev },
} = parseArgs({ options: { dev: { type: "boolean", default: false } } });

const bounds: Bounds = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 1_000,
  // Longer than clients and proxies commonly keep one, so that seldom one is used again while it is being closed.
  keepAliveTimeout: 65_000,
  // The development server's pages stay connected, for hot reload.
  stalledMs: dev ? 0 : 60_000,
  connections: 4_096,
  // Enough for an office behind one address. Where requests come from a proxy, all have its address.
  connectionsPerAddress: env.TRUSTED_PROXY_HOPS > 0 ? Number.POSITIVE_INFINITY : 256,
};
/**
 * While the server closes: how long an idle connection may bring a request.
 * The second time is for connections from proxies.
 */
const idleMs = 500;
const idleOfProxyMs = 5_000;
/**
 * How long a node behind a proxy keeps serving after `/readyz` reports the stop.
 * Longer than nginx avoids another node that it could not reach: with `fail_timeout=2s` up to three seconds, and then
 * until its one attempt at that node is answered.
 */
const noticeMs = 4_000;
/** How long the last traces and the node's last report may delay the end. */
const shutdownWorkMaximumMs = 2_000;

type Signal = "SIGINT" | "SIGTERM";
let stopping: { signal: Signal; since: number } | undefined;
let finish = async (_: Signal) => {};
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, async () => {
    const now = performance.now();
    if (stopping && !isSecondSignal(stopping.since, now)) return;
    if (stopping) log.warn(`${signal} again: the server ends at once`);
    else {
      stopping = { signal, since: now };
      await finish(signal);
    }
    process.exit(128 + constants.signals[signal]);
  });

async function start(): Promise<void> {
  if (!dev) logConsole();
  if (env.OTEL_EXPORTER_OTLP_ENDPOINT) {
    const { startTracing } = await import("../lib/observe/tracing.ts");
    atShutdown(startTracing(env.OTEL_EXPORTER_OTLP_ENDPOINT).flush);
  }
  const { server, listen, close } = createHttpServer({
    bounds,
    handle: (request, response, context) => handle(request, response, context),
    replyTo,
  });
  let acceptedConnections = 0;
  server.on("connection", () => {
    acceptedConnections += 1;
  });
  const nextApp = next({
    dev,
    dir: ".",
    port: env.PORT,
    // Its development server refuses hot reload to pages at other addresses than this one and localhost.
    ...(dev && env.HOST && { hostname: env.HOST }),
    // Next.js takes over this server's upgrades. Only the development server has any, for hot reload.
    httpServer: dev ? server : createServer(),
  });
  provideStaticMarkup(renderToStaticMarkup);
  await nextApp.prepare();
  await appStarted;
  const handle = createRequestHandler({
    trust: { trustedHops: env.TRUSTED_PROXY_HOPS, siteUrl: env.SITE_URL },
    siteLocales,
    isDevelopment: dev,
    // The development server's pages change with the sources.
    pageCacheBytes: dev ? 0 : env.PAGE_CACHE_MB * 1024 * 1024,
    isStopping: () => stopping?.signal === "SIGTERM",
    acceptedConnections: () => acceptedConnections,
    mediaFolder: mediaFolderPath(env),
    handle: nextApp.getRequestHandler(),
  });
  const { port } = await listen(env.PORT, env.HOST);
  finish = async (signal) => {
    // Open pages hold connections to the development server for as long as they like.
    if (dev) server.close().closeAllConnections();
    else if (signal === "SIGTERM" && env.TRUSTED_PROXY_HOPS > 0) {
      await sleep(noticeMs);
      // A proxy must not repeat a POST, so each idle connection stays for longer than nginx.conf's proxy keeps one.
      await close(idleOfProxyMs);
    } else await close(idleMs);
    await Promise.all([nextApp.close(), doShutdownWork(shutdownWorkMaximumMs)]);
  };
  process.send?.({ port });
  const host = env.HOST ?? "localhost";
  const origin = `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  // After an action that redirects, Next.js requests the page it leads to from here, as under `next start`. Its guess,
  // made of PORT and X-Forwarded-Proto, is wrong behind HTTPS, with PORT=0 and with HOST.
  process.env.__NEXT_PRIVATE_ORIGIN = origin;
  reportListening(port);
  const reach = env.HOST
    ? `It listens on ${env.HOST} only.`
    : "It listens on all addresses of this machine; with HOST=127.0.0.1 only this machine reaches it.";
  process.stdout.write(`Weir is ready on ${origin}\n${reach}\n`);
}

start().catch((err: unknown) => {
  log.fatal({ err }, "the server cannot start");
  process.exit(1);
});
