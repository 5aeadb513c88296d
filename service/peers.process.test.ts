/** Two real processes that publish their grants to each other. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../scripts/cluster/free-port.ts";
import { runCommand } from "../testing/command.ts";
import { temporaryFolder } from "../testing/database.ts";
import { runningRequester, runningService } from "../testing/running-service.ts";

const limit = 40;
// The clock's first window of this length ends in the year 2286.
const policies = {
  demo: { algorithm: "fixed-window", limit, windowMs: 1_000_000_000_000 },
  bucket: { algorithm: "leaky-bucket", capacity: 10, leakPerSecond: 0.000_001 },
};
const rules = [{ name: "each user", key: ["user"], policy: "bucket" }];

type Peers = { publish: string; subscribe: string[] };

const configurationOf = (peers: Peers) => ({ policies, default: "demo", store: "memory", rules, peers });

async function start(peers: Peers) {
  const service = await runningService({ configuration: configurationOf(peers) });
  const requester = runningRequester(service.zmq);
  const allowedOf = async (count: number, request: object) => {
    const answers = await Promise.all(Array.from({ length: count }, () => requester.request({ ...request })));
    return answers.filter(({ allowed }) => allowed === true).length;
  };
  /** Resolves when this number remains here. */
  const remains = async (expected: number, request: object) => {
    for (;;) {
      const { remaining } = await requester.request({ ...request, verb: "peek" });
      if (remaining === expected) return;
      await sleep(5);
    }
  };
  return { service, requester, allowedOf, remains };
}

type One = Awaited<ReturnType<typeof start>>;

let greetings = 0;

/** Resolves when one receives the other's messages; earlier ones are lost. */
async function connected(receiver: One, publisher: One): Promise<void> {
  for (;;) {
    greetings += 1;
    const key = `hello ${greetings}`;
    await publisher.allowedOf(1, { key });
    await sleep(20);
    const { remaining } = await receiver.requester.request({ verb: "peek", key });
    if (remaining === limit - 1) return;
  }
}

async function startBoth() {
  const [here, there] = [`tcp://127.0.0.1:${await freePort()}`, `tcp://127.0.0.1:${await freePort()}`];
  const other = { publish: there, subscribe: [here] };
  const services = await Promise.all([start({ publish: here, subscribe: [there] }), start(other)]);
  await connected(services[0], services[1]);
  await connected(services[1], services[0]);
  return { here: services[0], there: services[1], startThereAgain: () => start(other) };
}

test("share a window, a bucket by rule, refunds and resets between two services", async () => {
  const { here, there } = await startBoth();
  const demo = { key: "shared" };
  expect(await here.allowedOf(25, demo)).toBe(25);
  await there.remains(limit - 25, demo);
  expect(await there.allowedOf(limit, demo)).toBe(limit - 25);
  await here.remains(0, demo);
  expect(await here.allowedOf(5, demo)).toBe(0);

  await there.requester.request({ ...demo, verb: "refund", cost: 3 });
  await here.remains(3, demo);
  expect(await here.allowedOf(5, demo)).toBe(3);
  await here.requester.request({ ...demo, verb: "reset" });
  await there.remains(limit, demo);

  const byRule = { fields: { user: "ada" } };
  expect(await there.allowedOf(6, byRule)).toBe(6);
  await here.remains(4, byRule);
  expect(await here.allowedOf(9, byRule)).toBe(4);

  const metrics = await (await fetch(`${here.service.http}/metrics`)).text();
  expect(metrics).toMatch(/^limiter_peer_events_total\{way="heard"\} [1-9]\d*$/m);
  expect(metrics).toMatch(/^limiter_peer_delay_seconds \d/m);
  expect(metrics).toMatch(/^limiter_peer_messages_lost_total\{how="malformed"\} 0$/m);
});

test("starts empty after a kill, and counts the grants from then on", async () => {
  const { here, there, startThereAgain } = await startBoth();
  expect(await there.allowedOf(30, { key: "k" })).toBe(30);
  await here.remains(limit - 30, { key: "k" });
  await there.service.kill();
  const again = await startThereAgain();
  await connected(again, here);
  await connected(here, again);
  expect(await again.allowedOf(2 * limit, { key: "k" })).toBe(limit);
  await here.remains(0, { key: "k" });
  expect(await here.allowedOf(1, { key: "k" })).toBe(0);
});

test.each([
  [
    { store: "redis://127.0.0.1:6379" },
    /:\d+: peers: is only for "store": "memory"; services that use one Redis/,
  ],
  [
    { peers: { publish: "tcp://127.0.0.1:0", subscribe: ["tcp://limiter-2:7779"] } },
    /:\d+: peers: tcp:\/\/limiter-2:7779 is on other machines: set LIMITER_TOKEN/,
  ],
  [{ peers: { publish: "tcp://127.0.0.1:0" } }, /:\d+: peers\.subscribe: is missing: it must be a list/],
])("%j is a fault that names its line", async (changed, fault) => {
  const peers = { publish: "tcp://127.0.0.1:0", subscribe: ["tcp://127.0.0.1:7789"] };
  const file = join(temporaryFolder(), "limiter.json");
  writeFileSync(file, JSON.stringify({ ...configurationOf(peers), ...changed }, null, 2));
  const { code, printed } = await run(file);
  expect([code, printed]).toEqual([1, expect.stringMatching(fault)]);
});

test("reports a publish address in use in one line", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const peers = { publish: `tcp://127.0.0.1:${port}`, subscribe: ["tcp://127.0.0.1:7789"] };
  const file = join(temporaryFolder(), "limiter.json");
  writeFileSync(file, JSON.stringify(configurationOf(peers), null, 2));
  const { code, printed } = await run(file);
  expect([code, printed]).toEqual([
    1,
    expect.stringMatching(/peers: tcp:.* cannot be published on: another program/),
  ]);
});

async function run(file: string): Promise<{ code: number | null; printed: string }> {
  const args = ["--config", file, "--zmq", "tcp://127.0.0.1:0", "--http", "127.0.0.1:0"];
  const { code, output, errors } = await runCommand("limiter", args, { env: { LIMITER_TOKEN: "" } });
  return { code, printed: output + errors };
}
