/** Closing the listener while its thread is busy. */
import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { idempotent } from "../idempotency.ts";
import { listenOnZeromq } from "../zeromq.ts";

/** Longer than the listener waits for requests that are on their way. */
const busyMs = 300;
/** So that a client that fails does not block the thread for ever. */
const hangMs = 300_000;

test("answers a request that arrives while the listener closes and the event loop is busy", async () => {
  const engine = idempotent({ execute: async () => ({ reset: true }) });
  const listener = await listenOnZeromq("tcp://127.0.0.1:*", engine);
  const isRead = new Int32Array(new SharedArrayBuffer(4));
  const client = new Worker(join(import.meta.dirname, "../../testing/request-worker.ts"), {
    workerData: { address: listener.address, isRead },
    execArgv: [],
  });
  onTestFinished(() => client.terminate().then(() => {}));
  expect(await once(client, "message")).toEqual(["connected"]);
  const answers = once(client, "message");
  const closing = listener.close();
  // In the check phase, so that the timers are due before the event loop looks for messages.
  setImmediate(() => {
    client.postMessage("send");
    const busyUntil = performance.now() + busyMs;
    Atomics.wait(isRead, 0, 0, hangMs);
    while (performance.now() < busyUntil);
  });
  await closing;
  expect(await answers).toEqual([1]);
});
