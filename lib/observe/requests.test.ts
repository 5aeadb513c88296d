import { once } from "node:events";
import { createServer, get, type RequestOptions } from "node:http";
import { connect } from "node:net";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { requestId, requestIdHeader, whileAnswering } from "../http/current-response.ts";
import { metrics } from "./metrics.ts";
import { kindOf, watchRequests } from "./requests.ts";

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
  ["GET", "/readyz", "operations"],
  ["GET", "/metrics", "operations"],
])("%s %s is of the kind that its figures are kept under: %3$s", (method, path, kind) => {
  expect(kindOf(method, path)).toBe(kind);
});

/** A server with nothing but the watching. */
async function watched(trustedHops: number) {
  const watch = watchRequests({ trustedHops });
  const ids: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    watch(request, response);
    whileAnswering(response, () => setImmediate(() => void ids.push(requestId())));
    if (request.url !== "/hangs") setImmediate(() => response.writeHead(204).end());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const ask = async (headers: RequestOptions["headers"] = {}) => {
    const [answer] = await once(get({ port, host: "127.0.0.1", headers, agent: false }), "response");
    answer.resume();
    await once(answer, "close");
    return String(answer.headers[requestIdHeader.toLowerCase()]);
  };
  return { port, ids, ask };
}

test("Every request has an id of its own, on its response and for whatever happens meanwhile", async () => {
  const { ask, ids } = await watched(0);
  const told = [await ask(), await ask({ "X-Request-Id": "made-up-by-a-client" })];
  expect(new Set(told).size).toBe(2);
  for (const id of told) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(ids).toEqual(told);
  expect(requestId()).toBeUndefined();
});

test("An id that a trusted proxy brings is taken when it is well-formed", async () => {
  const { ask } = await watched(1);
  expect(await ask({ "X-Request-Id": "9f86d081884c7d65_a.b" })).toBe("9f86d081884c7d65_a.b");
  for (const bad of ["short", "with a space", '{"a":"json-like"}', "x".repeat(129), ""])
    expect(await ask({ "X-Request-Id": bad })).toMatch(/^[0-9a-f-]{36}$/);
});

test("Requests are counted by method, kind and class of status; an answer that nobody waited for has none", async () => {
  const { ask, port, ids } = await watched(0);
  await ask();
  const socket = connect(port, "127.0.0.1");
  socket.write("PURGE /hangs HTTP/1.1\r\nHost: a\r\n\r\n");
  await expect.poll(() => ids.length).toBe(2);
  socket.destroy();
  const counted = async () =>
    (await metrics().requests.get()).values.map(({ labels, value }) => ({ ...labels, value }));
  await expect.poll(counted).toEqual([
    { method: "GET", kind: "page", status: "2xx", value: 1 },
    { method: "other", kind: "page", status: "none", value: 1 },
  ]);
});
