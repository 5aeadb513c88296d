import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type HttpService, startHttp } from "../../testing/http-service.ts";
import { bodiesOf, connectRaw, wireRequest } from "../../testing/raw-http.ts";

let service: HttpService;
beforeAll(async () => {
  service = await startHttp({
    policies: {
      demo: { algorithm: "fixed-window", limit: 1_000_000, windowMs: 3_600_000 },
      slow: { algorithm: "fixed-window", limit: 1, windowMs: 500_000 },
    },
  });
});
afterAll(() => service.close());

const statusOf = (received: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1]);
const othersAreAnswered = async () => expect((await service.post("/v1/consume", {})).status).toBe(200);
const remaining = async (policy: string, key: string) =>
  (await (await service.post("/v1/peek", { policy, key })).json()).remaining;

describe("input that is not a request", () => {
  test.each([
    ["words", "Hello, are you there?\r\n\r\n", 400],
    ["TLS", Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]), 400],
    ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
    ["no host", "GET /v1/alive HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
    ["headers without end", `GET / HTTP/1.1\r\nHost: limiter\r\nX: ${"x".repeat(20_000)}`, 431],
    [
      "two lengths",
      "POST /v1/consume HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
      400,
    ],
    [
      "a length and chunks",
      "POST /v1/consume HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
    ],
    [
      "a broken chunk",
      "POST /v1/consume HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
      400,
    ],
    ["CONNECT", "CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n", 405],
    ["an expectation", wireRequest("/v1/consume", "{}", "Expect: the-unexpected\r\n"), 417],
  ])("is answered and the connection closed: %s", async (_, text, status) => {
    const connection = await connectRaw(service.port, text);
    const received = await connection.closed();
    expect(statusOf(received)).toBe(status);
    expect(received).toContain("application/problem+json");
    expect(bodiesOf(received)).toMatchObject([{ status }]);
    await othersAreAnswered();
  });

  test("after a good one leaves that one its answer", async () => {
    const connection = await connectRaw(
      service.port,
      `${wireRequest("/v1/consume", '{"id": 1}')}What now?\r\n\r\n`,
    );
    const received = await connection.closed();
    expect(bodiesOf(received)[0]).toMatchObject({ id: 1, allowed: true });
  });
});

test("neither answers nor counts a request behind an expectation that cannot be met", async () => {
  const before = service.allowed();
  const connection = await connectRaw(
    service.port,
    wireRequest("/v1/consume", "{}", "Expect: the-unexpected\r\n") + wireRequest("/v1/consume", "{}"),
  );
  expect(bodiesOf(await connection.closed())).toMatchObject([{ status: 417 }]);
  expect(service.allowed()).toBe(before);
});

describe("bodies", () => {
  test("of an unknown length are read to their limit and no further", async () => {
    const head =
      "POST /v1/consume HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
    const small = await connectRaw(service.port, `${head}9\r\n{"id": 5}\r\n0\r\n\r\n`);
    expect(bodiesOf(await small.until(/\}$/))).toMatchObject([{ id: 5, allowed: true }]);
    small.socket.destroy();

    const endless = await connectRaw(service.port, head);
    const chunk = `2000\r\n${" ".repeat(0x2000)}\r\n`;
    const sending = setInterval(() => endless.socket.write(chunk), 1);
    const received = await endless.closed();
    clearInterval(sending);
    expect(bodiesOf(received)).toMatchObject([{ status: 413 }]);
  });

  test("in a thousand pieces are put together", async () => {
    const text = `{"id": "pieces", "key": "${"k".repeat(970)}"}`;
    const head =
      "POST /v1/consume HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
    const connection = await connectRaw(service.port, head);
    for (const letter of text) connection.socket.write(`1\r\n${letter}\r\n`);
    connection.socket.write("0\r\n\r\n");
    expect(bodiesOf(await connection.until(/\}$/))).toMatchObject([{ id: "pieces", allowed: true }]);
    connection.socket.destroy();
  });

  test("that are announced and too large get no 100 Continue", async () => {
    const announced = (bytes: number) =>
      `POST /v1/consume HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${bytes}\r\n\r\n`;
    const large = await connectRaw(service.port, announced(300_000));
    expect(statusOf(await large.closed())).toBe(413);
    const small = await connectRaw(service.port, announced(2));
    await small.until(/^HTTP\/1\.1 100 Continue/);
    small.socket.write("{}");
    expect(await small.until(/"allowed"/)).toContain("HTTP/1.1 200");
    small.socket.destroy();
  });

  test("nested deeply are refused like any others", async () => {
    const nested = await fetch(`${service.origin}/v1/consume`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: "[".repeat(100_000) + "]".repeat(100_000),
    });
    // As a list of one request.
    expect(nested.status).toBe(200);
    expect(await nested.json()).toEqual([{ error: expect.any(String) }]);
    await othersAreAnswered();
  });

  test("that break off count nothing", async () => {
    const connection = await connectRaw(
      service.port,
      `POST /v1/consume HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"policy": "slow", "key": "half"`,
    );
    connection.socket.end();
    await connection.closed();
    expect(await remaining("slow", "half")).toBe(1);
  });
});

test("answers pipelined requests in their order", async () => {
  const requests = Array.from({ length: 90 }, (_, id) => wireRequest("/v1/consume", JSON.stringify({ id })));
  const connection = await connectRaw(service.port, requests.join(""));
  const received = await connection.until(/"id":89/);
  expect(bodiesOf(received)).toMatchObject(requests.map((_, id) => ({ id })));
  connection.socket.destroy();
});

test("refuses the 101st request in flight on a connection", async () => {
  const crowded = await startHttp({
    policies: { slow: { algorithm: "fixed-window", limit: 1_000, windowMs: 500_000 } },
  });
  const connection = await connectRaw(crowded.port, wireRequest("/v1/consume", '{"id": 0, "cost": 1000}'));
  await connection.until(/"allowed":true/);
  const wait = (_: unknown, index: number) =>
    wireRequest("/v1/wait", JSON.stringify({ id: index + 1, maxWaitMs: 600_000 }));
  connection.socket.write(Array.from({ length: 150 }, wait).join(""));
  // Earlier data on the way to it has been read then.
  await othersAreAnswered();
  const [received] = await Promise.all([connection.closed(), crowded.close()]);
  const bodies = bodiesOf(received);
  const waited = bodies.slice(1, -1);
  expect(waited).toMatchObject(
    Array.from({ length: 100 }, (_, index) => ({ id: index + 1, allowed: false })),
  );
  expect(bodies.at(-1)).toMatchObject({ status: 503 });
});

test("serves others beside a thousand idle connections", async () => {
  const idle = await Promise.all(
    Array.from({ length: 1_000 }, async () => {
      const socket = connect(service.port, "127.0.0.1");
      socket.on("error", () => {});
      await once(socket, "connect");
      return socket;
    }),
  );
  await othersAreAnswered();
  for (const socket of idle) socket.destroy();
});

test("gives up the wait of a client that goes away, and counts nothing", async () => {
  const key = "gone";
  const policy = "slow";
  await service.post("/v1/consume", { policy, key });
  const wait = JSON.stringify({ policy, key, maxWaitMs: 600_000 });
  const leaving = await connectRaw(
    service.port,
    wireRequest("/v1/peek", "{}") + wireRequest("/v1/wait", wait),
  );
  await leaving.until(/"allowed"/);
  leaving.socket.destroy();
  await othersAreAnswered();
  await service.post("/v1/reset", { policy, key });
  const next = await service.post("/v1/wait", { policy, key, maxWaitMs: 600_000 });
  expect(await next.json()).toMatchObject({ allowed: true });
});

describe("a slow client", () => {
  let hasty: HttpService;
  beforeAll(async () => {
    hasty = await startHttp({
      bounds: { headersTimeout: 50, requestTimeout: 100, connectionsCheckingInterval: 10 },
      policies: { slow: { algorithm: "fixed-window", limit: 1, windowMs: 500_000 } },
    });
  });
  afterAll(() => hasty.close());

  test.each([
    ["with the first byte", ""],
    ["with headers", "POST /v1/consume HTTP/1.1\r\nHost: a\r\n"],
    ["with a body", wireRequest("/v1/consume", "{}").slice(0, -1)],
  ])("%s gets a 408", async (_, text) => {
    const connection = await connectRaw(hasty.port, text);
    expect(bodiesOf(await connection.closed())).toMatchObject([{ status: 408 }]);
  });

  test("to send the next request is disconnected without an answer", async () => {
    const impatient = await startHttp({ bounds: { keepAliveTimeout: 50 } });
    const connection = await connectRaw(impatient.port, wireRequest("/v1/peek", "{}"));
    expect(bodiesOf(await connection.closed())).toMatchObject([{ allowed: true }]);
    await impatient.close();
  });

  test("to read answers is disconnected, and uses little memory", async () => {
    const impatient = await startHttp({ bounds: { stalledMs: 100 } });
    const before = process.memoryUsage().rss;
    const socket = connect(impatient.port, "127.0.0.1");
    socket.on("error", () => {});
    const closed = new Promise((resolve) => socket.once("close", resolve));
    const drained = () => new Promise((resolve) => socket.once("drain", resolve));
    const many = wireRequest("/v1/peek", JSON.stringify({ key: "k".repeat(1_000) })).repeat(50);
    while (!socket.destroyed) {
      if (!socket.write(many)) await Promise.race([drained(), closed]);
      await othersAreAnswered();
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
    await impatient.close();
  });

  test("that only waits for a limit is not disconnected", async () => {
    const quick = await startHttp({
      bounds: { stalledMs: 1_000, keepAliveTimeout: 50 },
      policies: { slow: { algorithm: "token-bucket", capacity: 1, refillPerSecond: 0.5 } },
    });
    const wait = wireRequest("/v1/wait", '{"maxWaitMs": 60000}');
    const connection = await connectRaw(quick.port, wait + wait);
    expect(await connection.until(/"allowed":true[\s\S]*"allowed":true/)).not.toContain(" 408 ");
    await quick.close();
  });
});
