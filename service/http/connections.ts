/**
 * What is in flight on each connection of a server, so that none is cut off in the middle of it, none holds more than its
 * share, and the server can end without losing an answer.
 */
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

export interface Connection {
  /** Requests that are not answered yet: more than one when the client sends on without awaiting answers. */
  inFlight: number;
  /** To the request that came last. Answers go out in the order of their requests, so this is the last one to go. */
  newest: ServerResponse | undefined;
  /** The newest answer ends the connection: what comes after it is not heard. */
  isEnding: boolean;
  /** Those who wait for their turn: aborted when the client goes away, and when the server ends. */
  waiting: Set<AbortController>;
  /** Nobody may wait any more. */
  isClosing: boolean;
  /** How many bytes the client had not taken when that was looked at last. */
  unreadBytes: number;
}

/** How long an idle connection may still bring a request that is on its way, when the server ends. */
const graceMs = 200;
/** How long clients have to end a connection that the server has ended. */
const lingerMs = 1_000;
/** How long a request that is still being sent may take, when the server ends. */
const givingUpMs = 5_000;

export type Connections = ReturnType<typeof trackConnections>;

/** `stalledMs`: a client that takes nothing of its answers for so long, or up to twice that, is let go. */
export function trackConnections(server: Server, stalledMs: number) {
  const open = new Map<Socket, Connection>();
  let isClosing = false;

  server.on("connection", (socket: Socket) => {
    const connection: Connection = {
      inFlight: 0,
      newest: undefined,
      isEnding: false,
      waiting: new Set(),
      isClosing,
      unreadBytes: 0,
    };
    open.set(socket, connection);
    const destroySoon = socket.destroySoon.bind(socket);
    // By which Node.js ends a connection behind its last answer.
    socket.destroySoon = () => {
      if (connection.isEnding) endUnheard(socket);
      else destroySoon();
    };
    socket.once("close", () => {
      open.delete(socket);
      for (const wait of connection.waiting) wait.abort();
    });
  });

  // A look now and then costs less than a timer for each answer.
  const looking = setInterval(() => {
    for (const [socket, connection] of open) {
      const { writableLength } = socket;
      if (writableLength > 0 && writableLength === connection.unreadBytes) socket.destroy();
      connection.unreadBytes = writableLength;
    }
  }, stalledMs).unref();

  const idle = () => [...open].filter(([, { inFlight }]) => inFlight === 0).map(([socket]) => socket);

  return {
    /** Undefined when the connection is closed. */
    of: (socket: Socket): Connection | undefined => open.get(socket),

    /**
     * Takes no more connections, answers at once who waits, ends what is idle, and resolves when all are closed. Whoever
     * answers meanwhile ends the answer's connection.
     */
    async close(): Promise<void> {
      // What the system has accepted already is fetched first: it would be reset.
      await new Promise(setImmediate);
      // Node would end idle connections at once, and reset what is just arriving on them.
      server.closeIdleConnections = () => {};
      const closed = new Promise((resolve) => server.close(resolve));
      isClosing = true;
      for (const connection of open.values()) {
        connection.isClosing = true;
        for (const wait of connection.waiting) wait.abort();
      }
      const ending = setInterval(() => {
        for (const socket of idle()) socket.end();
      }, graceMs);
      const letting = setTimeout(() => {
        for (const socket of idle()) socket.destroy();
      }, graceMs + lingerMs);
      const givingUp = setTimeout(() => server.closeAllConnections(), givingUpMs);
      await closed;
      clearInterval(looking);
      clearInterval(ending);
      clearTimeout(letting);
      clearTimeout(givingUp);
    },
  };
}

/**
 * Ends a connection behind what was answered. What the client is still sending is read and dropped until it stops, for a while:
 * to close on unread bytes would reset the connection, and might take answers away.
 */
function endUnheard(socket: Socket): void {
  socket
    .removeAllListeners("data")
    .on("data", () => {})
    .resume();
  socket.end();
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(timer));
}
