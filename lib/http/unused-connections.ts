/**
 * Lets a server that is closing end, though a browser holds connections open on which it never asked anything.
 *
 * Browsers open connections in advance. Node closes at once what is idle after a request, but waits for a first
 * request for as long as the client likes.
 */
import { Server } from "node:http";
import { Socket } from "node:net";

/** How long a connection may still bring its first request, which may be on its way. */
const graceMs = 500;

/** Ends connections that brought nothing, `graceMs` after their server was told to close; for every HTTP server here. */
export function endUnusedConnections(): void {
  const connections = new WeakMap<Server, Set<Socket>>();
  const { prototype } = Server;
  const { close, emit } = prototype;

  prototype.emit = function (this: Server, event: string | symbol, ...values: unknown[]) {
    const [socket] = values;
    if (event === "connection" && socket instanceof Socket) {
      const open = connections.get(this) ?? new Set();
      connections.set(this, open.add(socket));
      socket.once("close", () => open.delete(socket));
    }
    return Reflect.apply(emit, this, [event, ...values]);
  };

  prototype.close = function (this: Server, callback?: (error?: Error) => void) {
    setTimeout(() => {
      for (const socket of connections.get(this) ?? []) if (socket.bytesRead === 0) socket.destroy();
    }, graceMs).unref();
    return Reflect.apply(close, this, [callback]);
  };
}
