/** The service over HTTP: the same JSON as over ZeroMQ. */
import { problemReply } from "../lib/http/reply.ts";
import { type Bounds, createHttpServer } from "../lib/http/server.ts";
import { hostAndPort, withoutBrackets } from "./addresses.ts";
import type { RequestExecutor } from "./codec.ts";
import { createRequestHandler, type HandlerSettings } from "./http/request-handler.ts";
import type { Listener } from "./listener.ts";
import { createMetrics } from "./metrics.ts";

const defaultBounds: Bounds = {
  maxHeaderSize: 8 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  /** Longer than clients usually keep an idle connection, so that the client ends it. */
  keepAliveTimeout: 65_000,
  stalledMs: 60_000,
  connections: 5_000,
  connectionsPerAddress: Number.POSITIVE_INFINITY,
};
/** While the service closes: how long an idle connection may bring a request. */
const idleMs = 200;

export interface HttpSettings extends Partial<HandlerSettings> {
  bounds?: Partial<Bounds>;
}

/**
 * Listens on a host and a port, such as `127.0.0.1:7778` or `[::1]:7778`.
 * Port 0 takes a free one. Rejects when it cannot.
 */
export async function listenOnHttp(
  address: string,
  engine: RequestExecutor,
  {
    bounds,
    token,
    metrics = createMetrics(),
    configured = () => ({}),
    report = console.error,
  }: HttpSettings = {},
): Promise<Listener> {
  const target = hostAndPort(address);
  if (!target)
    throw new Error(`No address to listen on: ${address}. Write a host and a port, as 127.0.0.1:7778.`);
  const { listen, close } = createHttpServer({
    bounds: { ...defaultBounds, ...bounds },
    handle: createRequestHandler(engine, { token, metrics, configured, report }),
    replyTo: problemReply,
  });
  const { port } = await listen(target.port, withoutBrackets(target.host));
  let closed: Promise<void> | undefined;
  return {
    address: `http://${address.replace(/\d+$/, String(port))}`,
    close() {
      closed ??= close(idleMs);
      return closed;
    },
  };
}
