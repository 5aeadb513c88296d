/** A TCP connection on which a test sends every byte itself. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface RawConnection {
  socket: Socket;
  /** All that has come so far. */
  received(): Buffer;
  /**
   * Resolves when the condition holds.
   * It is checked at each arrival of data, and when the connection is closed.
   */
  until(isSo: () => boolean): Promise<void>;
  /** Resolves when the connection is closed, by a reset too. */
  closed: Promise<void>;
}

export async function openConnection(port: number, host = "127.0.0.1"): Promise<RawConnection> {
  const socket = connect(port, host);
  await once(socket, "connect");
  let bytes = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
  });
  socket.on("error", () => {});
  const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  return {
    socket,
    received: () => bytes,
    async until(isSo) {
      // A reset closes the connection.
      const data = () =>
        once(socket, "data").catch((error: unknown) => {
          if (!socket.destroyed) throw error;
        });
      while (!isSo() && !socket.closed) await Promise.race([data(), closed]);
    },
    closed,
  };
}
