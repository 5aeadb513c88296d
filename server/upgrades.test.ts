import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { prepareShutdown } from "./shutdown.ts";
import { refuseUpgrades } from "./upgrades.ts";

const upgrade = "GET / HTTP/1.1\r\nHost: blog.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";

async function start() {
  const server = createServer();
  refuseUpgrades(server);
  const shutdown = prepareShutdown(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  /** A client that leaves its end of the connection open when the server has ended its own. */
  const open = async () => {
    const port = typeof address === "object" && address ? address.port : 0;
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    onTestFinished(() => void socket.destroy());
    await once(socket, "connect");
    return socket;
  };
  return { server, shutdown, open };
}

test("refuses an upgrade, and closes although the client keeps its end of the connection open", async () => {
  const { shutdown, open } = await start();
  const client = await open();
  client.write(upgrade);
  expect(await text(client)).toMatch(/^HTTP\/1\.1 400 /);
  expect(client.writable).toBe(true);
  await shutdown.close();
});

test("survives a client that resets the connection after its upgrade", async () => {
  const uncaught = vi.fn();
  process.on("uncaughtException", uncaught);
  onTestFinished(() => void process.off("uncaughtException", uncaught));
  const { server, shutdown, open } = await start();
  // Not events.once, which listens for errors itself.
  const closedByError = new Promise<boolean>((resolve) =>
    server.once("upgrade", (_, socket: Duplex) => socket.once("close", resolve)),
  );
  const client = await open();
  client.write(upgrade);
  client.resetAndDestroy();
  expect(await closedByError).toBe(true);
  await shutdown.close();
  expect(uncaught).not.toHaveBeenCalled();
});
