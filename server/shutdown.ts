/** Closing an HTTP server without losing a request. */
import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Longer than nginx avoids a server that it could not reach: with `fail_timeout=2s`, up to three seconds, and then
 * until the one request by which it tries that server has its answer.
 */
const noticeMs = 4_000;
/** How long a connection may still bring its first request, which may be on its way. */
const unusedGraceMs = 500;
/** A turn of the event loop as short as this has had no waiting connection to fetch, and how many are awaited. */
const quietMs = 1;
const turnsMaximum = 200;

export interface Shutdown {
  /** Closes the server at once: answers what has arrived, ends idle connections. */
  close(): Promise<void>;
  /**
   * Closes the server behind a proxy that has other servers.
   *
   * For a while everything goes on, except that `/readyz` says so: a proxy that has just seen another server come back
   * has time to use it. Then new connections are refused, so the proxy goes elsewhere, and each further answer ends
   * its connection. An idle connection ends by its own timeout: ending it here would reset a request being sent on it,
   * and a proxy must not repeat a POST.
   */
  closeBehindProxy(noticeIsOver?: Promise<void>): Promise<void>;
}

/** Prepares a server, before it listens, for being closed. */
export function prepareShutdown(server: Server): Shutdown {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });

  /** Browsers open connections in advance, on which no request may ever come. */
  function endUnusedLater(): void {
    const endUnused = () => {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    };
    // What has arrived is read before an immediate runs.
    setTimeout(() => setImmediate(endUnused), unusedGraceMs).unref();
  }

  return {
    async close() {
      const closed = once(server, "close");
      server.close();
      endUnusedLater();
      await closed;
    },
    async closeBehindProxy(noticeIsOver = sleep(noticeMs)) {
      await noticeIsOver;
      await quietTurn();
      const closed = once(server, "close");
      server.prependListener("request", (_: IncomingMessage, response: ServerResponse) => {
        response.shouldKeepAlive = false;
      });
      // Not http's own `close`, which ends idle connections.
      NetServer.prototype.close.call(server);
      endUnusedLater();
      await closed;
    },
  };
}

/**
 * Resolves in a short turn of the event loop. Connections that the system has accepted, and this process not yet, are
 * reset when it stops listening; each turn fetches them, so after a short one there is hardly any.
 */
async function quietTurn(): Promise<void> {
  for (let turn = 0; turn < turnsMaximum; turn += 1) {
    const startedAt = performance.now();
    await new Promise(setImmediate);
    if (performance.now() - startedAt < quietMs) return;
  }
}
