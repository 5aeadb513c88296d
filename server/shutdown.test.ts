import { once } from "node:events";
import { Agent, createServer, get, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { prepareShutdown } from "./shutdown.ts";

/** A server that answers at once, but under `/waits` when `release` is called. */
async function start() {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    if (request.url === "/waits") await released;
    response.end("answered");
  });
  const shutdown = prepareShutdown(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
  });
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const open = async () => {
    const socket = connect(port, "127.0.0.1").setEncoding("utf8");
    onTestFinished(() => void socket.destroy());
    await once(socket, "connect");
    return socket;
  };
  return { port, shutdown, release, open };
}

/** Sends a request on a connection of its own or of this agent's. */
async function send(port: number, path = "/", agent: Agent | false = false) {
  const [answer]: IncomingMessage[] = await once(get({ port, host: "127.0.0.1", path, agent }), "response");
  if (!answer) throw new Error("There is a response");
  return { text: await text(answer), connection: answer.headers.connection };
}

const refusesConnections = (port: number) =>
  expect
    .poll(
      () =>
        new Promise((resolve) => {
          const socket: Socket = connect(port, "127.0.0.1", () => resolve(false)).once("error", () =>
            resolve(true),
          );
          socket.once("connect", () => socket.destroy());
        }),
    )
    .toBe(true);

test("a closing server waits for a request that has begun, and not for a connection that never sends one", async () => {
  const { port, shutdown, open } = await start();
  const [silent, speaking] = [await open(), await open()];
  // An answer shows that the server has seen the connections before it.
  expect((await send(port)).text).toBe("answered");
  speaking.write("GET / HTTP/1.1\r\nHost: blog.example\r\n");
  const closed = shutdown.close();
  await once(silent, "close");
  speaking.write("Connection: close\r\n\r\n");
  const [answer] = await once(speaking, "data");
  expect(answer).toMatch(/^HTTP\/1.1 200/);
  await closed;
});

test("behind a proxy it serves new connections until the notice is over, then refuses them", async () => {
  const { port, shutdown, release } = await start();
  const waiting = send(port, "/waits");
  const notice = Promise.withResolvers<void>();
  const closed = shutdown.closeBehindProxy(notice.promise);
  expect(await send(port)).toEqual({ text: "answered", connection: "close" });
  notice.resolve();
  await refusesConnections(port);
  release();
  expect((await waiting).text).toBe("answered");
  await closed;
});

test("behind a proxy an idle connection is not reset: its next request is answered, and ends it", async () => {
  const { port, shutdown } = await start();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  expect((await send(port, "/", agent)).connection).toBe("keep-alive");
  const closed = shutdown.closeBehindProxy(Promise.resolve());
  await refusesConnections(port);
  expect(await send(port, "/", agent)).toEqual({ text: "answered", connection: "close" });
  await closed;
});
