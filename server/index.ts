/**
 * The server: Next.js behind our own HTTP server, on the port of the setting PORT.
 *
 *   node server/index.ts [--dev] [--hostname ADDRESS] [FOLDER]
 *
 * FOLDER holds the built app and is this one unless given; without --hostname it listens on all addresses. It listens
 * once it can answer, and then prints its address as one line, "Weir is ready on http://…".
 */
import { once } from "node:events";
import { createServer } from "node:http";
import { isIPv6 } from "node:net";
import { constants } from "node:os";
import { parseArgs } from "node:util";
import next from "next";
import { log, logConsole } from "../lib/logging/log.ts";
import { env } from "../lib/settings/env.ts";
import { appStarted, atShutdown, doShutdownWork, reportListening } from "./lifecycle.ts";
import { createRequestHandler } from "./request-handler.ts";
import { prepareShutdown } from "./shutdown.ts";
import { refuseUpgrades } from "./upgrades.ts";

const {
  values: { dev, hostname },
  positionals: [folder = "."],
} = parseArgs({
  options: { dev: { type: "boolean", default: false }, hostname: { type: "string" } },
  allowPositionals: true,
});

/** How long the last traces and the node's last report may delay the end. */
const shutdownWorkMaximumMs = 2_000;

type Signal = "SIGINT" | "SIGTERM";
let stopping: Signal | undefined;
let finish = async (_: Signal) => {};
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, async () => {
    if (stopping) return; // a Ctrl-C may arrive twice: from the terminal and from npm
    stopping = signal;
    await finish(signal);
    process.exit(128 + constants.signals[signal]);
  });

async function start(): Promise<void> {
  if (!dev) logConsole();
  if (env.OTEL_EXPORTER_OTLP_ENDPOINT) {
    const { startTracing } = await import("../lib/observe/tracing.ts");
    atShutdown(startTracing(env.OTEL_EXPORTER_OTLP_ENDPOINT).flush);
  }
  const server = createServer();
  const shutdown = prepareShutdown(server);
  const nextApp = next({
    dev,
    dir: folder,
    port: env.PORT,
    // Next.js takes over this server's upgrades. Only the development server has any, for hot reload.
    httpServer: dev ? server : createServer(),
  });
  await nextApp.prepare();
  await appStarted;
  if (!dev) refuseUpgrades(server);
  server.on(
    "request",
    createRequestHandler({
      trust: { trustedHops: env.TRUSTED_PROXY_HOPS, siteUrl: env.SITE_URL },
      isDevelopment: dev,
      isStopping: () => stopping === "SIGTERM",
      handle: nextApp.getRequestHandler(),
    }),
  );
  server.listen({ port: env.PORT, ...(hostname && { host: hostname }) });
  await once(server, "listening");
  finish = async (signal) => {
    // Open pages hold connections to the development server for as long as they like.
    if (dev) server.close().closeAllConnections();
    else if (signal === "SIGTERM" && env.TRUSTED_PROXY_HOPS > 0) await shutdown.closeBehindProxy();
    else await shutdown.close();
    await Promise.all([nextApp.close(), doShutdownWork(shutdownWorkMaximumMs)]);
  };
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : env.PORT;
  const host = hostname ?? "localhost";
  const origin = `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  // After an action that redirects, Next.js requests the page it leads to from here, as under `next start`. Its guess,
  // made of PORT and X-Forwarded-Proto, is wrong behind HTTPS, with PORT=0 and with --hostname.
  process.env.__NEXT_PRIVATE_ORIGIN = origin;
  reportListening(port);
  process.stdout.write(`Weir is ready on ${origin}\n`);
}

start().catch((err: unknown) => {
  log.fatal({ err }, "the server cannot start");
  process.exit(1);
});
