// Over 200 lines: opening, counting and closing share the list of connections.

/**
 * An HTTP server with limits on clients, and a graceful shutdown.
 *
 * The blog's server and the limiter's service both use it. It adds to node:http:
 * - A connection is closed in stages: it is half-closed, and data that still arrives is dropped. Closing on
 *   unread bytes would reset the connection, and might lose answers.
 * - Bytes that are not a request, and requests that cannot be handled, get an answer, after the answers before them.
 * - A closing server answers the requests in flight. After the last answer on a connection it ignores further requests.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { errorCode } from "../../db/error-code.ts";
import { countedAddress } from "./client-address.ts";
import type { Problem } from "./problem.ts";
import { type Reply, rawResponse, send } from "./reply.ts";

/** Limits for clients; times in milliseconds. */
export interface Bounds {
  maxHeaderSize: number;
  headersTimeout: number;
  /** For a whole request, its body included. */
  requestTimeout: number;
  /** How long an idle connection stays open, while no new one needs its place. */
  keepAliveTimeout: number;
  connectionsCheckingInterval: number;
  /** For a client that does not read its answers; 0 for no bound. */
  stalledMs: number;
  connections: number;
  /** Of one client address; Infinity where proxies connect. */
  connectionsPerAddress: number;
}

/** The context of a handler, besides request and response. */
export interface RequestContext {
  /** The problem found so far; its answer is the connection's last. */
  problem: Problem | undefined;
  /** Where the connection comes from, as limits count it: the client, or its proxy. */
  address: string;
  /** Aborted when the client goes away, and when the server closes. */
  signal: AbortSignal;
  /** Call it once, with the answer: the request is no longer in flight. */
  answered: () => void;
}

interface HttpServerOptions {
  bounds: Bounds;
  handle: (request: IncomingMessage, response: ServerResponse, context: RequestContext) => void;
  /** The reply where no request can be handled. */
  replyTo: (problem: Problem) => Reply;
}

export interface HttpServer {
  server: Server;
  /** Rejects when it cannot listen there. */
  listen(port: number, host?: string): Promise<AddressInfo>;
  /**
   * Closes the server gracefully.
   * Refuses new connections, and answers the requests that have arrived, or arrive on an idle connection within
   * `idleMs`. A client has some seconds to send the rest of a request.
   */
  close(idleMs: number): Promise<void>;
}

interface OpenConnection {
  /** The address it comes from, as limits count it. */
  address: string;
  inFlight: number;
  /**
   * The response that is sent last.
   * node:http sends responses in the order of their requests.
   */
  newest: ServerResponse | undefined;
  /** The bytes read when the last request was answered. */
  readBytes: number;
  /** Whether its last answer has been sent, to bytes that are not a request. */
  isEnding: boolean;
  closing: AbortController;
}

/** Maximum number of requests in flight on one connection. */
const inFlightMaximum = 100;
/** How long a client has to end a connection that the server has ended. */
const lingerMs = 5_000;
/** While the server closes: the time for a request to arrive, and to be answered. */
const arrivalMs = 5_000;
const answerMs = 20_000;
const closingCheckMs = 50;
/**
 * A turn of the event loop shorter than this had no connection to accept.
 * Such a turn is awaited for at most `backlogWaitMs`.
 */
const shortTurnMs = 1;
const backlogWaitMs = 200;

const unmetExpectation = { status: 417, detail: "The only supported expectation is 100-continue." };
const tooManyInFlight = {
  status: 503,
  detail: `At most ${inFlightMaximum} requests can be in flight on one connection: wait for answers, or open another connection.`,
};
const notAProxy = { status: 405, detail: "This is not a proxy.", headers: { Allow: "GET, HEAD, POST" } };

export function createHttpServer({ bounds, handle, replyTo }: HttpServerOptions): HttpServer {
  const { stalledMs, connections: connectionsMaximum, connectionsPerAddress, ...options } = bounds;
  // A request without a Host header is left to the handler, which answers in its own format.
  const server = createServer({ ...options, noDelay: true, requireHostHeader: false });
  server.maxConnections = connectionsMaximum;
  // Connections beyond the maximum are dropped before they can take an idle one's place.
  const keptFree = Math.ceil(connectionsMaximum / 64);
  server.timeout = stalledMs;
  const connections = new Map<Duplex, OpenConnection>();
  const countByAddress = new Map<string, number>();
  let isClosing = false;

  /** Closes the oldest idle connection that has had an answer, of `address` if set. */
  function closeIdle(address?: string): boolean {
    for (const [stream, connection] of connections) {
      if (address !== undefined && connection.address !== address) continue;
      if (connection.isEnding || !connection.newest?.writableFinished || hasBegun(stream, connection))
        continue;
      connection.isEnding = true;
      stream.destroy();
      return true;
    }
    return false;
  }

  server.on("connection", (socket: Socket) => {
    const address = countedAddress(socket.remoteAddress ?? "") ?? "";
    const count = countByAddress.get(address) ?? 0;
    if (count >= connectionsPerAddress && !closeIdle(address)) {
      socket.destroy();
      return;
    }
    if (connections.size >= connectionsMaximum - keptFree) closeIdle();
    countByAddress.set(address, count + 1);
    const closing = new AbortController();
    connections.set(socket, {
      address,
      inFlight: 0,
      newest: undefined,
      readBytes: 0,
      isEnding: false,
      closing,
    });
    // node:http calls this behind a connection's last response.
    socket.destroySoon = () => end(socket);
    socket.once("close", () => {
      connections.delete(socket);
      const others = (countByAddress.get(address) ?? 1) - 1;
      if (others > 0) countByAddress.set(address, others);
      else countByAddress.delete(address);
      closing.abort();
    });
  });
  server.on("timeout", (socket) => {
    // A request in flight may take longer.
    if (socket.writableLength > 0 || isIdle(connections.get(socket))) socket.destroy();
  });
  server.on("clientError", (error, stream) => {
    const connection = connections.get(stream);
    if (!connection || !stream.writable) stream.destroy();
    if (!connection || !stream.writable || connection.isEnding) return;
    connection.isEnding = true;
    const { newest } = connection;
    const reply = replyTo(inputProblem(error));
    if (!newest || isIdle(connection)) end(stream, rawResponse(reply));
    else if (!newest.headersSent) {
      newest.shouldKeepAlive = false;
      if (!newest.req.complete) send(newest, reply);
    }
  });
  server.on("connect", (_, stream) => {
    const newest = connections.get(stream)?.newest;
    const refuse = () => end(stream, rawResponse(replyTo(notAProxy)));
    if (newest?.writableFinished === false) newest.once("finish", refuse);
    else refuse();
  });
  server.on("request", receive);
  server.on("checkContinue", receive);
  server.on("checkExpectation", (request, response) => receive(request, response, unmetExpectation));

  function receive(request: IncomingMessage, response: ServerResponse, refusal?: Problem): void {
    const { socket } = request;
    const connection = connections.get(socket);
    // No answer could be delivered, so the request must not be handled.
    if (!connection || connection.isEnding || !socket.writable || hadLastAnswer(connection)) return;
    connection.inFlight += 1;
    connection.newest = response;
    const problem = refusal ?? (connection.inFlight > inFlightMaximum ? tooManyInFlight : undefined);
    if (problem || isClosing) response.shouldKeepAlive = false;
    const answered = () => {
      connection.inFlight -= 1;
      connection.readBytes = socket.bytesRead;
    };
    handle(request, response, {
      problem,
      address: connection.address,
      signal: connection.closing.signal,
      answered,
    });
  }

  return {
    server,
    async listen(port, host) {
      server.listen({ port, ...(host !== undefined && { host }) });
      await once(server, "listening");
      const address = server.address();
      if (address === null || typeof address === "string") throw new Error("An HTTP server has a port");
      return address;
    },
    async close(idleMs) {
      await untilBacklogAccepted();
      const closed = once(server, "close");
      isClosing = true;
      // Not http's own `close`, which would reset requests that are arriving on idle connections.
      NetServer.prototype.close.call(server);
      for (const { closing } of connections.values()) closing.abort();
      const startedAt = performance.now();
      const ending = setInterval(() => {
        const elapsedMs = performance.now() - startedAt;
        for (const [stream, connection] of connections) {
          if (elapsedMs > idleMs && isIdle(connection) && !hasBegun(stream, connection)) end(stream);
          else if (elapsedMs > (isAnswering(connection) ? answerMs : arrivalMs)) stream.destroy();
        }
      }, closingCheckMs);
      await closed;
      clearInterval(ending);
    },
  };
}

function isIdle(connection: OpenConnection | undefined): boolean {
  return connection?.newest?.writableFinished !== false;
}

function isAnswering({ newest }: OpenConnection): boolean {
  return newest?.writableFinished === false && newest.req.complete;
}

function hadLastAnswer({ newest }: OpenConnection): boolean {
  return newest?.shouldKeepAlive === false;
}

/** Whether part of a request has arrived since the last answer. */
function hasBegun(stream: Duplex, { readBytes }: OpenConnection): boolean {
  return "bytesRead" in stream && stream.bytesRead !== readBytes;
}

/** Half-closes a connection, after this text if any, and drops further input. */
function end(stream: Duplex, text?: string): void {
  if (!stream.writable) return;
  // After an upgrade there is no other listener for a reset by the client.
  stream
    .on("error", () => {})
    .removeAllListeners("data")
    .on("data", () => {})
    .resume()
    .end(text);
  const timer = setTimeout(() => stream.destroy(), lingerMs);
  stream.once("close", () => clearTimeout(timer));
}

/** The problem for bytes that are not a request, or arrived too late. */
function inputProblem(error: Error): Problem {
  switch (errorCode(error)) {
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

/**
 * Resolves when the accept backlog is most likely empty.
 * That is after a short turn of the event loop.
 * Connections that the system has accepted, and this process has not, are reset when it stops listening. Each turn
 * accepts them, so after a short one there is hardly any.
 */
async function untilBacklogAccepted(): Promise<void> {
  let now = performance.now();
  const deadline = now + backlogWaitMs;
  for (let startedAt = Number.NEGATIVE_INFINITY; now - startedAt >= shortTurnMs && now < deadline; ) {
    startedAt = now;
    await new Promise(setImmediate);
    now = performance.now();
  }
}
