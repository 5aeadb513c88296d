/** Which requests the real nginx with `nginx.conf` passes on, and to which node. */
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { bodyMaximumBytes } from "../lib/http/json-body.ts";
import { freePort } from "../scripts/cluster/free-port.ts";
import { startNginx } from "../scripts/cluster/start-nginx.ts";
import { addressBehind } from "../server/client-address.ts";
import { sentTo } from "../server/forwarded.ts";
import { type CountingNode, page, startCountingNode } from "../testing/counting-node.ts";

async function start(count: number, options?: { avoidedFor: string }) {
  const nodes: CountingNode[] = [];
  for (let i = 0; i < count; i += 1) nodes.push(await newNode());
  return {
    nodes,
    origin: await newNginx(
      nodes.map(({ address }) => address),
      options,
    ),
  };
}

async function newNode(): Promise<CountingNode> {
  const node = await startCountingNode();
  onTestFinished(() => node.stop());
  return node;
}

async function newNginx(upstreams: string[], options?: { avoidedFor: string }): Promise<string> {
  const nginx = await startNginx(upstreams, options);
  onTestFinished(() => nginx.stop());
  return nginx.origin;
}

async function send(
  url: string,
  {
    method = "GET",
    headers = {},
    body = "",
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
) {
  const sent = request(url, { method, headers, agent: false });
  sent.on("error", () => {}); // nginx may have answered and closed before it has taken the whole body
  sent.end(body);
  const [answer]: IncomingMessage[] = await once(sent, "response");
  if (!answer) throw new Error("A response is given");
  return { status: answer.statusCode, headers: answer.headers, text: await text(answer).catch(() => "") };
}

const count = (nodes: CountingNode[]) => nodes.map(({ requests }) => requests.length);

test("a node gets the address that nginx saw, not a forged one", async () => {
  const { nodes, origin } = await start(1);
  await send(origin, {
    headers: {
      host: "blog.example",
      "x-forwarded-for": "192.0.2.9, 192.0.2.10",
      "x-forwarded-host": "evil.example",
      "x-forwarded-proto": "https",
      "x-forwarded-port": "444",
      "x-real-ip": "192.0.2.9",
      forwarded: "for=192.0.2.9;host=evil.example",
    },
  });
  const headers = nodes[0]?.requests[0]?.headers ?? {};
  expect(JSON.stringify(headers)).not.toMatch(/192\.0\.2|evil|\b444\b|https/);
  expect(addressBehind("172.30.77.2", String(headers["x-forwarded-for"]), 1)).toBe("127.0.0.1");
  const trust = { trustedHops: 1, siteUrl: undefined };
  expect(sentTo(headers, trust, false)).toEqual({ host: "blog.example", protocol: "http" });
});

test("a body may be as large as the app allows, and not larger", async () => {
  const { nodes, origin } = await start(1);
  const post = (path: string, bytes: number) =>
    send(origin + path, { method: "POST", body: "x".repeat(bytes) });
  expect((await post("/login", bodyMaximumBytes)).status).toBe(200);
  const forReader = await post("/posts/new", bodyMaximumBytes + 1);
  expect(forReader.status).toBe(413);
  expect(forReader.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(forReader.text).toContain("Go back: your text is still in the form.");
  const forProgram = await post("/api/posts", bodyMaximumBytes + 1);
  expect(forProgram.headers["content-type"]).toBe("application/problem+json");
  expect(JSON.parse(forProgram.text)).toMatchObject({ type: "about:blank", status: 413 });
  expect((await post("/lab/ratings", 4 * bodyMaximumBytes)).status).toBe(200);
  expect((await post("/lab/ratings", 4 * bodyMaximumBytes + 1)).status).toBe(413);
  expect(count(nodes)).toEqual([2]);
});

test("headers may be as large as a node allows, and not larger", async () => {
  const { nodes, origin } = await start(1);
  expect((await send(origin, { headers: { cookie: `a=${"x".repeat(7_000)}` } })).status).toBe(200);
  expect((await send(origin, { headers: { cookie: `a=${"x".repeat(9_000)}` } })).status).toBe(400);
  expect((await send(`${origin}/?q=${"x".repeat(9_000)}`)).status).toBe(414);
  const many = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`x-${i}`, "x".repeat(4_000)]));
  expect((await send(origin, { headers: many })).status).toBe(400);
  expect(count(nodes)).toEqual([1]);
});

test("a slow body reaches a node as it arrives, so that the node bounds its time and memory", async () => {
  const { nodes, origin } = await start(1);
  const sent = request(`${origin}/login`, {
    method: "POST",
    headers: { "content-length": "900002" },
    agent: false,
  });
  sent.write(Buffer.alloc(900_000));
  await expect.poll(() => nodes[0]?.requests.map(({ url }) => url)).toEqual(["/login"]);
  sent.end("cd");
  const [answer]: IncomingMessage[] = await once(sent, "response");
  expect(answer?.statusCode).toBe(200);
  answer?.resume();
});

test("a request that could not be sent to a dead node goes to the other, POST too", async () => {
  const [node, deadPort] = [await newNode(), await freePort()];
  const origin = await newNginx([`127.0.0.1:${deadPort}`, node.address]);
  for (let i = 0; i < 10; i += 1) {
    expect((await send(`${origin}/api/posts`, { method: "POST", body: "{}" })).status).toBe(200);
    expect((await send(`${origin}/posts/${i}`)).status).toBe(200);
  }
  expect(count([node])).toEqual([20]);
});

test.each(["POST", "PATCH"])(
  "a %s that was sent is never sent again, though no answer came",
  async (method) => {
    const { nodes, origin } = await start(2);
    for (const node of nodes) node.answer(({ socket }) => socket.destroy());
    const { status, text } = await send(`${origin}/api/posts/one`, { method, body: "{}" });
    expect(status).toBe(502);
    expect(JSON.parse(text)).toMatchObject({ status: 502, title: "Bad Gateway" });
    expect(count(nodes).toSorted()).toEqual([0, 1]);
  },
);

test("a GET that a node did not answer is retried on the other, and that node avoided", async () => {
  const { nodes, origin } = await start(2, { avoidedFor: "1h" });
  nodes[0]?.answer(({ socket }) => socket.destroy());
  for (let i = 0; i < 4; i += 1) expect((await send(`${origin}/posts/${i}`)).status).toBe(200);
  expect(count(nodes.slice(0, 1))).toEqual([1]);
});

test("a node's own 503 is passed on, and not retried", async () => {
  const { nodes, origin } = await start(2);
  for (const node of nodes)
    node.answer((_, response) => page(response, "later", { "Retry-After": "5" }, 503));
  const answer = await send(`${origin}/api/posts`);
  expect(answer).toMatchObject({ status: 503, text: "later", headers: { "retry-after": "5" } });
  expect(count(nodes).toSorted()).toEqual([0, 1]);
});

test("a node that is back is used again", async () => {
  const port = await freePort();
  const node = await newNode();
  const origin = await newNginx([`127.0.0.1:${port}`, node.address]);
  for (let i = 0; i < 4; i += 1) expect((await send(`${origin}/api/${i}`)).status).toBe(200);
  const back = await startCountingNode(port);
  onTestFinished(() => back.stop());
  while (back.requests.length === 0) {
    expect((await send(`${origin}/api/posts`)).status).toBe(200);
    await sleep(50);
  }
});

test("an upgrade to another protocol goes nowhere", async () => {
  const { nodes, origin } = await start(1);
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.write(
    "GET / HTTP/1.1\r\nHost: blog.example\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n",
  );
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
  expect(nodes[0]?.requests[0]?.headers.upgrade).toBeUndefined();
});
