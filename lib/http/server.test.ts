import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { connectRaw } from "../../testing/raw-http.ts";
import { createBodyReader } from "./body.ts";
import { bareReply, send } from "./reply.ts";
import { createHttpServer } from "./server.ts";

const bounds = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 60_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 10,
  keepAliveTimeout: 60_000,
  stalledMs: 0,
  connections: 100,
  connectionsPerAddress: Number.POSITIVE_INFINITY,
};

/**
 * A server that answers at once, except under `/waits`.
 * There it answers after `release` is called. A POST is answered with its body.
 */
async function start(changed: Partial<typeof bounds> = {}) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const readBody = createBodyReader(100, { status: 413, detail: "Too large." });
  const { server, listen, close } = createHttpServer({
    bounds: { ...bounds, ...changed },
    replyTo: (problem) => bareReply(problem),
    async handle(request, response, { problem, address, answered }) {
      response.once("close", answered);
      if (problem) return send(response, bareReply(problem));
      if (request.url === "/waits") await released;
      if (request.method !== "POST") return void response.end("answered");
      const body = await readBody(request, response, address);
      if ("status" in body) return send(response, bareReply(body));
      response.end(body.bytes);
    },
  });
  const { port } = await listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const open = async () => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }).setEncoding("utf8");
    onTestFinished(() => void socket.destroy());
    await once(socket, "connect");
    return socket;
  };
  return { server, port, close, release, open };
}

/** Sends a request on a connection of its own or of this agent's. */
async function request(port: number, path = "/", agent: Agent | false = false) {
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
  const { port, close, open } = await start();
  const [silent, speaking] = [await open(), await open()];
  // An answer shows that the server has seen the connections before it.
  expect((await request(port)).text).toBe("answered");
  speaking.write("GET / HTTP/1.1\r\nHost: blog.example\r\n");
  const closed = close(20);
  await once(silent.resume(), "end");
  silent.end();
  speaking.write("\r\n");
  expect(await text(speaking)).toMatch(/^HTTP\/1.1 200 .*Connection: close/s);
  speaking.end();
  await closed;
});

test("a closing server gives up a request that is never sent whole", async () => {
  const { port, close, open } = await start();
  const [inHead, inBody] = [await open(), await open()];
  inHead.write("GET / HTTP/1.1\r\nHost: blog.example\r\n");
  inBody.write("POST / HTTP/1.1\r\nHost: blog.example\r\nContent-Length: 2\r\n\r\na");
  expect((await request(port)).text).toBe("answered");
  await close(20);
});

test("a closing server answers the requests that have arrived, and refuses new connections", async () => {
  const { port, close, release } = await start();
  const waiting = request(port, "/waits");
  expect((await request(port)).text).toBe("answered");
  const closed = close(20);
  await refusesConnections(port);
  release();
  expect((await waiting).text).toBe("answered");
  await closed;
});

test("a closing server does not reset an idle connection: its next request is answered, and ends it", async () => {
  const { port, close } = await start();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  expect((await request(port, "/", agent)).connection).toBe("keep-alive");
  const closed = close(60_000);
  await refusesConnections(port);
  expect(await request(port, "/", agent)).toEqual({ text: "answered", connection: "close" });
  await closed;
});

test("closes connections of one address beyond its bound, until others of it have ended", async () => {
  const { port, open } = await start({ connectionsPerAddress: 2 });
  const [first, second, third] = [await open(), await open(), await open()];
  await once(third.resume(), "end");
  third.end();
  second.end("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  expect(await text(second)).toMatch(/answered$/);
  await expect.poll(() => request(port).catch(() => undefined)).toMatchObject({ text: "answered" });
  first.destroy();
});

test.each([
  ["one address", { connectionsPerAddress: 2 }],
  ["all", { connections: 3 }],
])("closes the oldest idle connection of %s when a new one needs its place", async (_, bound) => {
  const { open } = await start(bound);
  const [first, second] = [await open(), await open()];
  const answeredOn = async (socket: Socket) => {
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    for (let received = ""; !received.endsWith("answered"); )
      received += String((await once(socket, "data"))[0]);
  };
  await answeredOn(first);
  await answeredOn(second);
  const ended = once(first, "end");
  const third = await open();
  await answeredOn(third);
  await ended;
  await answeredOn(second);
});

test("survives a client that resets the connection after its CONNECT", async () => {
  const uncaught = vi.fn();
  process.on("uncaughtException", uncaught);
  onTestFinished(() => void process.off("uncaughtException", uncaught));
  const { server, open } = await start();
  // Not events.once, which listens for errors itself.
  const closedByError = new Promise<boolean>((resolve) =>
    server.once("connect", (_, socket) => socket.once("close", resolve)),
  );
  const client = await open();
  client.on("error", () => {});
  client.write("CONNECT blog.example:443 HTTP/1.1\r\nHost: blog.example\r\n\r\n");
  client.resetAndDestroy();
  await closedByError;
  expect(uncaught).not.toHaveBeenCalled();
});

test("a CONNECT behind a request that waits is refused after that request's answer", async () => {
  const { port, release } = await start();
  const { socket, closed } = await connectRaw(
    port,
    "GET /waits HTTP/1.1\r\nHost: a\r\n\r\nCONNECT b:443 HTTP/1.1\r\nHost: b\r\n\r\n",
  );
  expect((await request(port)).text).toBe("answered");
  release();
  const answers = await closed();
  expect(answers.match(/HTTP\/1\.1 \d+|answered/g)).toEqual(["HTTP/1.1 200", "answered", "HTTP/1.1 405"]);
  socket.destroy();
});

test("ignores requests behind the last answer of a connection", async () => {
  const { port } = await start();
  const { closed } = await connectRaw(
    port,
    "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\nGET /later HTTP/1.1\r\nHost: a\r\n\r\n",
  );
  expect((await closed()).match(/answered/g)).toHaveLength(1);
});

test("a large refused body does not cost its client the answer", async () => {
  const { port } = await start();
  const body = "a".repeat(5_000_000);
  const { closed } = await connectRaw(
    port,
    `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  expect(await closed()).toMatch(/^HTTP\/1.1 413 .*Connection: close.*Too large/s);
});

test("a body that arrives too slowly is a 408", async () => {
  const { port } = await start({ headersTimeout: 50, requestTimeout: 100 });
  const { socket, closed } = await connectRaw(
    port,
    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
  );
  const sending = setInterval(() => socket.write("1\r\na\r\n"), 20);
  expect(await closed()).toMatch(/^HTTP\/1.1 408 /);
  clearInterval(sending);
});
