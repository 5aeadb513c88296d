import { once } from "node:events";
import { createServer, get, type RequestOptions } from "node:http";
import { connect } from "node:net";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { metrics } from "../lib/observe/metrics.ts";
import { kindOf, logWhenClosed, requestIdOf } from "./request-log.ts";
import { targetOf } from "./target.ts";

beforeEach(() => metrics().registry.resetMetrics());

test.each([
  ["GET", "/", "page"],
  ["GET", "/posts/a.b", "page"],
  ["POST", "/posts/new", "action"],
  ["GET", "/api", "api"],
  ["DELETE", "/api/posts/x", "api"],
  ["GET", "/apiary", "page"],
  ["GET", "/_next/static/x.js", "static"],
  ["GET", "/feed.xml", "file"],
  ["GET", "/users/a.b", "page"],
  ["GET", "/users/a.b/feed.json", "file"],
  ["GET", "/readyz", "operations"],
  ["GET", "/metrics", "operations"],
])("%s %s is counted as %3$s", (method, path, kind) => {
  expect(kindOf(method, targetOf(path))).toBe(kind);
});

/** A server that logs, and answers with the request's id. */
async function logged(trustedHops: number) {
  let arrived = 0;
  const server = createServer((request, response) => {
    const id = requestIdOf(request, trustedHops);
    logWhenClosed(request, response, { id, clientAddress: "192.0.2.1" });
    arrived += 1;
    if (request.url !== "/hangs") response.writeHead(204, { id }).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const send = async (headers: RequestOptions["headers"] = {}) => {
    const [answer] = await once(get({ port, host: "127.0.0.1", headers, agent: false }), "response");
    answer.resume();
    await once(answer, "close");
    return String(answer.headers.id);
  };
  return { port, send, arrived: () => arrived };
}

test("every request has its own id, with any header from the client", async () => {
  const { send } = await logged(0);
  const ids = [await send(), await send({ "X-Request-Id": "made-up-by-a-client" })];
  expect(new Set(ids).size).toBe(2);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
});

test("an id from a trusted proxy is taken when it is well-formed", async () => {
  const { send } = await logged(1);
  expect(await send({ "X-Request-Id": "9f86d081884c7d65_a.b" })).toBe("9f86d081884c7d65_a.b");
  for (const bad of ["short", "with a space", '{"a":"json-like"}', "x".repeat(129), ""])
    expect(await send({ "X-Request-Id": bad })).toMatch(/^[0-9a-f-]{36}$/);
});

test("requests are counted by method, kind and class of status; an aborted one has no status", async () => {
  const { send, port, arrived } = await logged(0);
  await send();
  const socket = connect(port, "127.0.0.1");
  socket.write("PURGE /hangs HTTP/1.1\r\nHost: a\r\n\r\n");
  await expect.poll(arrived).toBe(2);
  socket.destroy();
  const counted = async () =>
    (await metrics().requests.get()).values.map(({ labels, value }) => ({ ...labels, value }));
  await expect.poll(counted).toEqual([
    { method: "GET", kind: "page", status: "2xx", value: 1 },
    { method: "other", kind: "page", status: "none", value: 1 },
  ]);
});
