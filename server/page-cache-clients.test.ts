/** Clients who leave a slow page, on a real server. */
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAppServer } from "../testing/app-server.ts";

/** How many renders of each path run. */
const running = new Map<string, number>();
const runningOf = (path: string) => running.get(path) ?? 0;
const gate = Promise.withResolvers<void>();
let left = 0;
let port = 0;

const { server, listen } = createAppServer({
  pageCacheBytes: 2 ** 20,
  waitMaximumMs: 20,
  // As the framework while it waits for queries: it does not notice that its client has gone.
  async handle({ url = "" }, response) {
    running.set(url, runningOf(url) + 1);
    await gate.promise;
    running.set(url, runningOf(url) - 1);
    response.end("page");
  },
});
server.on("request", (_, response) => response.once("close", () => (left += 1)));

beforeAll(async () => {
  ({ port } = await listen(0, "127.0.0.1"));
});
afterAll(() => void server.close());

function visit(path: string): Socket {
  const socket = connect(port, "127.0.0.1");
  socket.write(`GET ${path} HTTP/1.1\r\nHost: blog.example\r\n\r\n`);
  return socket;
}

const visits = (path: string, count: number) => Array.from({ length: count }, () => visit(path));

test("makes a page at most twice at a time although the clients who make it for themselves leave", async () => {
  for (const round of [1, 2, 3, 4]) {
    const clients = visits("/posts/slow", 5);
    await expect.poll(() => runningOf("/posts/slow")).toBeGreaterThanOrEqual(2);
    // Clients that came later than the five have waited as long as one may, and so have the five.
    clients.push(...visits(`/posts/other-${round}`, 2));
    await expect.poll(() => runningOf(`/posts/other-${round}`)).toBe(2);
    expect(runningOf("/posts/slow")).toBe(2);
    for (const client of clients) client.destroy();
    await expect.poll(() => left).toBe(7 * round);
  }
  gate.resolve();
  await expect.poll(() => [...running.values()].every((count) => count === 0)).toBe(true);
});
