import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { connectRaw } from "../../testing/raw-http.ts";
import { createBodyReader, createByteCount } from "./body.ts";
import { bareReply, send } from "./reply.ts";
import { createHttpServer } from "./server.ts";

const megabyte = 1024 * 1024;
const chunkedHead = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
const chunk = (bytes: number) => `${bytes.toString(16)}\r\n${"a".repeat(bytes)}\r\n`;

/**
 * A server that answers with the length of the body, except for `/held`.
 * `/of/ADDRESS` counts as that client's. Another reader, with the same count, reads `/other`.
 */
async function start(givesBack: boolean, { requestTimeout = 60_000, maximumBytes = megabyte } = {}) {
  const reading = { givesBack, count: createByteCount() };
  const readBody = createBodyReader(maximumBytes, { status: 413, detail: "Too large." }, reading);
  const readOther = createBodyReader(maximumBytes, { status: 413, detail: "Too large." }, reading);
  const connections: Socket[] = [];
  const { server, listen } = createHttpServer({
    bounds: {
      maxHeaderSize: 16 * 1024,
      headersTimeout: Math.min(60_000, requestTimeout),
      requestTimeout,
      connectionsCheckingInterval: 10,
      keepAliveTimeout: 60_000,
      stalledMs: 0,
      connections: 1_000,
      connectionsPerAddress: Number.POSITIVE_INFINITY,
    },
    replyTo: (problem) => bareReply(problem),
    async handle(request, response, { address, answered }) {
      response.once("close", answered);
      const client = /^\/of\/(.*)$/.exec(request.url ?? "")?.[1] ?? address;
      const read = request.url === "/other" ? readOther : readBody;
      const body = await read(request, response, client);
      if ("status" in body) return send(response, bareReply(body));
      body.release();
      let length = givesBack ? 0 : body.bytes.length;
      if (givesBack) for await (const part of request) length += part.length;
      if (request.url !== "/held") response.end(String(length));
    },
  });
  server.on("connection", (socket) => connections.push(socket));
  const { port } = await listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const post = async (bytes: number, path = "/") => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: "POST",
      body: "a".repeat(bytes),
    });
    return response.ok ? Number(await response.text()) : response.status;
  };
  const write = async (text: string): Promise<Socket> => {
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    onTestFinished(() => void socket.destroy());
    await once(socket, "connect");
    await new Promise((written) => socket.write(text, written));
    return socket;
  };
  const received = () => connections.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
  return { port, post, write, received };
}

describe.each([
  ["that gives back", true],
  ["that does not give back", false],
])("the memory of a reader %s is free again", (_, givesBack) => {
  /** More than fit into the memory, were it not free again. */
  const bodies = 70;

  test("after bodies that were read", async () => {
    const { post } = await start(givesBack);
    for (let sent = 0; sent < bodies; sent += 1) expect(await post(megabyte)).toBe(megabyte);
  });

  test("after bodies that were too large", async () => {
    const { port, post } = await start(givesBack);
    for (let sent = 0; sent < bodies; sent += 1) {
      const { closed } = await connectRaw(port, chunkedHead + chunk(megabyte) + chunk(1));
      expect(await closed()).toMatch(/^HTTP\/1.1 413 /);
    }
    expect(await post(megabyte)).toBe(megabyte);
  });

  test("after bodies that arrived too slowly", async () => {
    const { port, post } = await start(givesBack, { requestTimeout: 300 });
    const slow = Array.from({ length: bodies }, () => connectRaw(port, chunkedHead + chunk(megabyte - 1)));
    for (const { closed } of await Promise.all(slow)) expect(await closed()).toMatch(/^HTTP\/1.1 (408|503) /);
    // On a busy machine this one may be too slow as well.
    await expect.poll(() => post(megabyte)).toBe(megabyte);
  });

  test("after clients that broke off, one request behind another too", async () => {
    const { post, write, received } = await start(givesBack);
    const begun = chunkedHead + chunk(megabyte - 1);
    const sockets = await Promise.all(
      Array.from({ length: bodies }, () => write(`${chunkedHead}${chunk(1)}0\r\n\r\n${begun}`)),
    );
    await expect.poll(received).toBeGreaterThan(15 * megabyte);
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => post(megabyte)).toBe(megabyte);
  });

  test("after bodies that were refused because too many came at once", async () => {
    const { post, write, received } = await start(givesBack);
    const stalled = chunkedHead + chunk(megabyte - 1);
    const sockets = await Promise.all(Array.from({ length: bodies }, () => write(stalled)));
    await expect.poll(received).toBeGreaterThan(15 * megabyte);
    const postOrFill = async () => {
      const status = await post(megabyte);
      if (status !== 503) sockets.push(await write(stalled));
      return status;
    };
    await expect.poll(postOrFill).toBe(503);
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => post(megabyte)).toBe(megabyte);
  });
});

describe("large bodies that stall", () => {
  const stall = async (paths: string[]) => {
    const { write, received, ...server } = await start(true);
    const stallAt = (path: string) => write(chunkedHead.replace("/", path) + chunk(megabyte - 1));
    for (const path of paths) await stallAt(path);
    await expect.poll(received).toBeGreaterThan(15 * megabyte);
    return { ...server, stallAt };
  };

  test("of one client do not keep others from sending any, nor it from sending small ones", async () => {
    const { post, stallAt } = await stall(Array.from({ length: 64 }, () => "/of/stalling"));
    // Bodies that grow at the same moment are refused before there is no room left: another one fills it.
    const postOrFill = async () => {
      const status = await post(megabyte, "/of/stalling");
      if (status !== 503) await stallAt("/of/stalling");
      return status;
    };
    await expect.poll(postOrFill).toBe(503);
    expect(await post(megabyte, "/of/another")).toBe(megabyte);
    expect(await post(16 * 1024, "/of/stalling")).toBe(16 * 1024);
  });

  test("of one client count together when several readers read them", async () => {
    const { post } = await stall(Array.from({ length: 64 }, () => "/other"));
    await expect.poll(() => post(megabyte)).toBe(503);
  });

  test("of many clients do not keep others from sending small ones", async () => {
    const { post, stallAt } = await stall(Array.from({ length: 70 }, (_, client) => `/of/${client % 7}`));
    let client = 7;
    const postOrFill = async () => {
      const status = await post(megabyte, "/of/another");
      if (status !== 503) await stallAt(`/of/${client++}`);
      return status;
    };
    await expect.poll(postOrFill).toBe(503);
    expect(await post(16 * 1024, "/of/another")).toBe(16 * 1024);
  });
});

test("a body in chunks of one byte takes the memory of its bytes", async () => {
  const bytes = 400_000;
  const { post, write, received } = await start(true);
  const begun = chunkedHead + chunk(1).repeat(bytes);
  const socket = await write(begun);
  await expect.poll(received).toBe(begun.length);
  expect(await post(megabyte)).toBe(megabyte);
  socket.write("0\r\n\r\n");
  const [answer] = await once(socket.setEncoding("utf8"), "data");
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 200 .*\\b${bytes}$`, "s"));
});

test("bodies that one connection sends without awaiting answers are counted, all but one", async () => {
  const { post, write, received } = await start(true);
  const small = `POST /held HTTP/1.1\r\nHost: a\r\nContent-Length: 16384\r\n\r\n${"a".repeat(16_384)}`;
  for (let connection = 0; connection < 12; connection += 1) await write(small.repeat(99));
  await expect.poll(received).toBeGreaterThan(12 * 99 * 16_384);
  await expect.poll(() => post(megabyte)).toBe(503);
  expect(await post(16 * 1024)).toBe(16 * 1024);
});
