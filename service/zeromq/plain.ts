/**
 * The listener without encryption, for clients on this machine.
 *
 * It speaks ZeroMQ's protocol by itself instead of by libzmq, whose ROUTER keeps the parts of an unfinished message without any
 * bound, so that one client could take all memory; and by which a round trip costs several times as much.
 */
import { once } from "node:events";
import { createServer } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { Connection, type Shared } from "./connection.ts";
import type { Take } from "./desk.ts";

export interface Door {
  address: string;
  /** Lets nobody in any more, and resolves when what has arrived has been taken. */
  drain(): Promise<void>;
  /** Ends all connections when they have been sent what they were answered, or after a second. */
  close(): Promise<void>;
}

const connectionsMaximum = 5_000;
const backlog = 1_024;
const drainWithinMs = 1_000;
const lingerMs = 1_000;

/** Listens on `tcp://127.0.0.1:7777` or `tcp://[::1]:7777`. Rejects when it cannot. Those who wait do so until `stopping` aborts. */
export async function openPlain(
  address: string,
  { take, stopping, report }: { take: Take; stopping: AbortSignal; report: (error: unknown) => void },
): Promise<Door> {
  const { hostname, port } = new URL(address);
  const connections = new Set<Connection>();
  let heard = false;
  const shared: Shared = {
    heldBytes: 0,
    stopping,
    take(client, frames, bytes, start, end) {
      heard = true;
      take(client, frames, bytes, start, end);
    },
  };
  const server = createServer((socket) => {
    const connection = new Connection(socket, shared);
    connections.add(connection);
    socket.once("close", () => connections.delete(connection));
  });
  server.maxConnections = connectionsMaximum;
  server.listen({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port), backlog });
  await once(server, "listening");
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("A TCP server has a port");
  const closed = new Promise<void>((resolve) => server.once("close", () => resolve()));
  // Somebody could not be let in, as when there are no more files to be had.
  server.on("error", report);
  return {
    address: `tcp://${hostname}:${bound.port}`,
    async drain() {
      server.close();
      const giveUpAt = performance.now() + drainWithinMs;
      do {
        heard = false;
        // One turn reads what is there, up to 64 KiB of each client.
        await turn();
        await turn();
      } while (heard && performance.now() < giveUpAt);
    },
    async close() {
      for (const connection of connections) connection.end(lingerMs);
      await closed;
    },
  };
}
