/**
 * Redirects an address from one server to another.
 * As a virtual address does when a replica takes over.
 */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface Switch {
  port: number;
  /** Leads new connections to this port, and ends the existing ones. */
  pointTo(port: number): void;
  /** Leads new connections to this port; existing ones stay where they are. */
  pointNewTo(port: number): void;
  stop(): Promise<void>;
}

/** At first it leads nowhere. */
export async function startSwitch(): Promise<Switch> {
  const open = new Set<Socket>();
  let target: number | undefined;
  const server = createServer((client) => {
    if (target === undefined) {
      client.destroy();
      return;
    }
    const there = connect(target, "127.0.0.1").setNoDelay(true);
    client.setNoDelay(true);
    for (const [socket, other] of [
      [client, there],
      [there, client],
    ] as const) {
      open.add(socket);
      socket.on("error", () => {});
      socket.once("close", () => {
        open.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A TCP server has a port");
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: address.port,
    pointTo(port) {
      target = port;
      cut();
    },
    pointNewTo(port) {
      target = port;
    },
    async stop() {
      const closed = once(server, "close");
      server.close();
      cut();
      await closed;
    },
  };
}
