import { createHttpServer, type HttpServer } from "../lib/http/server.ts";
import { createRequestHandler, type RequestHandlerOptions, replyTo } from "../server/request-handler.ts";

const patientMs = 600_000;

/**
 * The app's HTTP server, with `handle` in place of Next.js.
 * It does not listen yet. Its bounds are out of the way of a test, and it keeps no pages unless the options allow it.
 */
export function createAppServer(
  options: Partial<RequestHandlerOptions> & Pick<RequestHandlerOptions, "handle">,
): HttpServer {
  return createHttpServer({
    bounds: {
      maxHeaderSize: 16 * 1024,
      headersTimeout: patientMs,
      requestTimeout: patientMs,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: 5_000,
      stalledMs: 0,
      connections: 1_000,
      connectionsPerAddress: 1_000,
    },
    replyTo,
    handle: createRequestHandler({
      trust: { trustedHops: 1, siteUrl: undefined },
      siteLocales: () => ["en", "fa"],
      isDevelopment: false,
      pageCacheBytes: 0,
      waitMaximumMs: patientMs,
      makeMaximumMs: patientMs,
      isStopping: () => false,
      acceptedConnections: () => 0,
      mediaFolder: "no-such-folder",
      ...options,
    }),
  });
}
