/** The service over HTTP: the same JSON as over ZeroMQ, on node:http. */
import { once } from "node:events";
import { createServer } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import type { Problem } from "../lib/http/problem.ts";
import { hostAndPort, withoutBrackets } from "./addresses.ts";
import type { RequestExecutor } from "./codec.ts";
import { bareReply, problemReply, send } from "./http/reply.ts";
import { type Connection, createRequestHandler, type HandlerSettings } from "./http/request-handler.ts";
import type { Listener } from "./listener.ts";
import { createMetrics } from "./metrics.ts";

/** What one client may use, in bytes and milliseconds. */
const defaultBounds = {
  maxHeaderSize: 8 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  /** Longer than clients usually keep an idle connection, so that the client ends it. */
  keepAliveTimeout: 65_000,
  /** For a client that does not read its answers. */
  stalledMs: 60_000,
};
const connectionsMaximum = 5_000;
/** When the server closes: how long a request that is on its way may take to arrive, and the last ones to end. */
const graceMs = 200;
const closeWithinMs = 5_000;
/** How long clients have to end a connection that the server has ended. */
const lingerMs = 1_000;

export interface HttpSettings extends Partial<HandlerSettings> {
  bounds?: Partial<typeof defaultBounds>;
}

/** Listens on a host and a port: `127.0.0.1:7778`, `[::1]:7778`; port 0 takes a free one. Rejects when it cannot. */
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
  const { stalledMs, ...options } = { ...defaultBounds, ...bounds };
  const server = createServer({ ...options, noDelay: true, requireHostHeader: false });
  server.maxConnections = connectionsMaximum;
  server.timeout = stalledMs;
  const connections = new Map<Duplex, Connection>();

  server.on("connection", (socket: Socket) => {
    const closing = new AbortController();
    connections.set(socket, { inFlight: 0, newest: undefined, isEnding: false, closing });
    // node:http calls this behind a connection's last response.
    socket.destroySoon = () => end(socket);
    socket.once("close", () => {
      connections.delete(socket);
      closing.abort();
    });
  });
  server.on("timeout", (socket) => {
    // A request in flight may be a wait.
    if (socket.writableLength > 0 || isIdle(connections.get(socket))) socket.destroy();
  });
  server.on("clientError", (error, stream) => {
    const connection = connections.get(stream);
    if (!connection || !stream.writable) stream.destroy();
    if (!connection || !stream.writable || connection.isEnding) return;
    connection.isEnding = true;
    const { newest } = connection;
    const reply = problemReply(requestProblem(error));
    if (!newest || isIdle(connection)) end(stream, bareReply(reply));
    else if (!newest.headersSent) {
      newest.shouldKeepAlive = false;
      if (!newest.req.complete) send(newest, reply);
    }
  });
  server.on("connect", (_, stream) => {
    const headers = { Allow: "GET, HEAD, POST" };
    end(stream, bareReply(problemReply({ status: 405, detail: "This is not a proxy.", headers })));
  });
  const handle = createRequestHandler(engine, connections, { token, metrics, configured, report });
  server.on("request", (request, response) => handle(request, response));
  server.on("checkContinue", (request, response) => handle(request, response));
  server.on("checkExpectation", (request, response) =>
    handle(request, response, { status: 417, detail: "Of expectations, only 100-continue can be met." }),
  );

  async function close(): Promise<void> {
    // Connections that the system has accepted already would be reset.
    await turn();
    const closed = once(server, "close");
    // Not http's own `close`, which would reset requests that are arriving on idle connections.
    NetServer.prototype.close.call(server);
    for (const { closing } of connections.values()) closing.abort();
    const ending = setInterval(() => {
      for (const [stream, connection] of connections) if (isIdle(connection) && stream.writable) end(stream);
    }, graceMs);
    const givingUp = setTimeout(() => server.closeAllConnections(), closeWithinMs);
    await closed;
    clearInterval(ending);
    clearTimeout(givingUp);
  }

  server.listen(target.port, withoutBrackets(target.host));
  await once(server, "listening");
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("An HTTP server has a port");
  let closed: Promise<void> | undefined;
  return {
    address: `http://${address.replace(/\d+$/, String(bound.port))}`,
    close() {
      closed ??= close();
      return closed;
    },
  };
}

function isIdle(connection: Connection | undefined): boolean {
  return connection?.newest?.writableFinished !== false;
}

/** Ends a connection. What still arrives is dropped: closing on unread bytes would reset it, and might lose answers. */
function end(stream: Duplex, text?: string): void {
  stream
    .removeAllListeners("data")
    .on("data", () => {})
    .resume()
    .end(text);
  const timer = setTimeout(() => stream.destroy(), lingerMs);
  stream.once("close", () => clearTimeout(timer));
}

/** The problem of bytes that are not a request, or did not arrive in time. */
function requestProblem(error: Error): Problem {
  switch ("code" in error ? error.code : undefined) {
    case "HPE_HEADER_OVERFLOW":
      return { status: 431, detail: "The request's headers are too large." };
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return { status: 413, detail: "The body's chunk extensions are too large." };
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return { status: 408, detail: "The request took too long to arrive." };
    default:
      return { status: 400, detail: "This is not an HTTP request." };
  }
}
