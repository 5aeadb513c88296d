import { once } from "node:events";
import { createServer } from "node:http";
import { beforeAll, expect, test } from "vitest";
import { whenClosed } from "./stopping.ts";

let work: () => Promise<void>;
const timeoutMs = 50;

// It stands before every server of the process, so it is put there once.
beforeAll(() => whenClosed(timeoutMs, () => work()));

async function close(): Promise<unknown> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  return new Promise((resolve) => server.close(resolve));
}

test("Who closes a server is told when the work that remains is done", async () => {
  let isDone = false;
  work = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    isDone = true;
  };
  await close();
  expect(isDone).toBe(true);
});

test.each([
  ["fails", () => Promise.reject(new Error("the collector is gone"))],
  ["never ends", () => new Promise<void>(() => {})],
])("Work that %s keeps nobody from closing", async (_, remaining) => {
  work = remaining;
  expect(await close()).toBeUndefined();
});

test("A server that was not open says so as before", async () => {
  work = async () => {};
  const server = createServer();
  expect(await new Promise((resolve) => server.close(resolve))).toMatchObject({
    code: "ERR_SERVER_NOT_RUNNING",
  });
});
