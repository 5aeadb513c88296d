/** The service over HTTP: the same JSON, for everybody without ZeroMQ. */
import { once } from "node:events";
import { createServer } from "node:http";
import { Socket } from "node:net";
import { hostAndPort, withoutBrackets } from "./addresses.ts";
import type { Asker } from "./http/asking.ts";
import { trackConnections } from "./http/connections.ts";
import { createExchanges, type ExchangeSettings } from "./http/exchange.ts";
import { problemReply, sendBare } from "./http/reply.ts";
import { problemOfRequest } from "./http/request-fault.ts";
import type { Listener } from "./listener.ts";
import { createMetrics } from "./metrics.ts";

/** What one client may take of the service, in bytes and milliseconds, before it is shown the door. */
const usualBounds = {
  maxHeaderSize: 8 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  /** Longer than clients usually keep an idle connection, so that it is they who end it. */
  keepAliveTimeout: 65_000,
  /** For a client that does not read its answers. */
  stalledMs: 60_000,
};
const connectionsMaximum = 5_000;

export interface HttpSettings extends Partial<ExchangeSettings> {
  bounds?: Partial<typeof usualBounds>;
}

/** Listens on a host and a port: `127.0.0.1:7778`, `[::1]:7778`; port 0 takes a free one. Rejects when it cannot. */
export async function listenOnHttp(
  address: string,
  engine: Asker,
  {
    token,
    metrics = createMetrics(),
    configured = () => ({}),
    report = console.error,
    bounds,
  }: HttpSettings = {},
): Promise<Listener> {
  const found = hostAndPort(address);
  if (!found)
    throw new Error(`No address to listen on: ${address}. Write a host and a port, as 127.0.0.1:7778.`);
  const { stalledMs, ...options } = { ...usualBounds, ...bounds };
  // A request without a host is answered like any other that is wrong.
  const server = createServer({ ...options, noDelay: true, requireHostHeader: false });
  server.maxConnections = connectionsMaximum;
  const connections = trackConnections(server, stalledMs);
  const exchanges = createExchanges(connections, engine, { token, metrics, configured, report });

  server.on("request", exchanges.begin);
  server.on("checkContinue", exchanges.beginExpecting);
  server.on("checkExpectation", exchanges.refuseExpectation);
  server.on("connect", (_, stream) => {
    const problem = { status: 405, detail: "This is no proxy.", headers: { Allow: "GET, HEAD, POST" } };
    if (stream instanceof Socket) sendBare(stream, problemReply(problem));
    else stream.destroy();
  });
  server.on("clientError", (error, stream) => {
    if (stream instanceof Socket) exchanges.breakOff(stream, problemOfRequest(error));
    else stream.destroy();
  });

  server.listen(found.port, withoutBrackets(found.host));
  await once(server, "listening");
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("An HTTP server has a port");
  let ended: Promise<void> | undefined;
  return {
    address: `http://${address.replace(/\d+$/, String(bound.port))}`,
    close() {
      ended ??= exchanges.end();
      return ended;
    },
  };
}
