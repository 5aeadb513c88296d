/** How the process ends: requests in flight are answered first. */
import { expect, onTestFinished, test } from "vitest";
import { Dealer } from "zeromq";
import { runChild } from "../testing/child-process.ts";
import type { LimiterService } from "../testing/limiter-service.ts";
import { connectRaw, wireRequest } from "../testing/raw-http.ts";
import { connectDealer, part } from "../testing/raw-zeromq.ts";
import { runningRequester, runningService } from "../testing/running-service.ts";

const windowMs = 200_000;
const configuration = {
  policies: {
    demo: { algorithm: "fixed-window", limit: 1, windowMs },
    large: { algorithm: "fixed-window", limit: 1_000_000, windowMs: 3_600_000 },
  },
  default: "large",
  store: "memory",
};

function started(
  env: Record<string, string> = {},
  store: string = configuration.store,
): Promise<LimiterService> {
  return runningService({ configuration: { ...configuration, store }, env });
}

function post(service: LimiterService, verb: string, body: unknown): Promise<Response> {
  const headers = { "Content-Type": "application/json" };
  return fetch(`${service.http}/v1/${verb}`, { method: "POST", headers, body: JSON.stringify(body) });
}

async function connectedTo({ http }: LimiterService) {
  const { socket, until } = await connectRaw(Number(new URL(http).port));
  onTestFinished(() => void socket.destroy());
  return {
    socket,
    /** Resolves when it was allowed so often. */
    allowed: (count: number) => until(new RegExp(`("allowed":true[^]*){${count}}`)),
  };
}

test.each(["SIGTERM", "SIGINT"] as const)(
  "answers every request that was sent before %s, under load",
  async (signal) => {
    // A decision takes some turns of the event loop: the signal comes in the midst of them.
    const service = await started({}, "sqlite:states.db");
    const dealers = await Promise.all(Array.from({ length: 20 }, () => connectDealer(service.zmq)));
    const sockets = await Promise.all(Array.from({ length: 40 }, () => connectedTo(service)));
    // All clients send at once, in rounds; in the last one the signal follows the requests.
    for (const round of [1, 2, 3]) {
      const requests = Array.from({ length: 25 }, () => [part("", { more: true }), part("{}")]).flat();
      // In one piece, which has left this process when it is written: the signal comes after it.
      for (const dealer of dealers) dealer.send(Buffer.concat(requests));
      for (const { socket } of sockets) socket.write(wireRequest("/v1/consume", "{}"));
      if (round === 3) service.signal(signal);
      for (const dealer of dealers)
        expect(await dealer.received(round * requests.length)).toHaveLength(round * requests.length);
      for (const each of sockets) await each.allowed(round);
    }
    expect(await service.ended).toBe(0);
    expect(service.output()).toContain(`${signal}: the limiter ends`);
  },
);

test("refuses waiting requests at once, with when to come back", async () => {
  const service = await started();
  const requester = runningRequester(service.zmq);
  const take = { policy: "demo", key: "k" };
  expect(await requester.request({ verb: "consume", ...take })).toMatchObject({ allowed: true });
  const wait = { ...take, maxWaitMs: 600_000 };
  const waits = [
    requester.request({ verb: "wait", ...wait }),
    post(service, "wait", wait).then((response) => response.json()),
  ];
  // A third request would wait for the windows of both.
  const third = async () =>
    Number((await requester.request({ verb: "wait", ...take, maxWaitMs: 1 })).retryAfterMs);
  await expect.poll(third).toBeGreaterThan(2 * windowMs);
  service.signal("SIGTERM");
  for (const answer of await Promise.all(waits)) {
    expect(answer).toMatchObject({ allowed: false, policy: "demo" });
    expect(answer.retryAfterMs).toBeGreaterThan(0);
  }
  expect(await service.ended).toBe(0);
});

test("ends although a client never reads", async () => {
  const service = await started();
  const dealer = new Dealer({ linger: 0, receiveHighWaterMark: 1 });
  onTestFinished(() => dealer.close());
  dealer.connect(service.zmq);
  for (let count = 0; count < 5_000; count += 1)
    await dealer.send(["", '{"verb": "rules", "fields": {"a": "b"}}']);
  const { socket } = await connectedTo(service);
  socket.pause();
  socket.write(wireRequest("/v1/rules", "{}").repeat(90));
  expect(await post(service, "consume", {}).then(({ status }) => status)).toBe(200);
  service.signal("SIGTERM");
  expect(await service.ended).toBe(0);
});

test("ends at once on a second signal", async () => {
  const service = await started();
  // All of it but the last byte: it is in flight for seconds.
  (await connectedTo(service)).socket.write(wireRequest("/v1/consume", "{}").slice(0, -1));
  expect(await post(service, "consume", {}).then(({ status }) => status)).toBe(200);
  service.signal("SIGINT");
  const again = setInterval(() => service.signal("SIGINT"), 50);
  onTestFinished(() => clearInterval(again));
  expect(await service.ended).toBe(1);
  expect(service.output()).toContain("SIGINT again: the limiter ends at once");
});

test("logs an uncaught error and ends with 1", async () => {
  for (const crash of ["Promise.reject(new Error('oh'))", "setImmediate(() => { throw new Error('oh') })"]) {
    const code = `process.on("SIGUSR2", () => { ${crash} })`;
    const service = await started({
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(code)}`,
    });
    service.signal("SIGUSR2");
    expect(await service.ended).toBe(1);
    const line = await service.printed(/"level":60/);
    expect(JSON.parse(line)).toMatchObject({ err: { message: "oh" } });
  }
});

test("ends with 0 under npm, too", async () => {
  const free = ["--zmq", "tcp://127.0.0.1:0", "--http", "127.0.0.1:0"];
  const child = runChild("scripts/operation.mjs", ["limiter", ...free]);
  await child.printed(1);
  expect(child.lines[0]).toMatch(/^The limiter answers on /);
  child.kill("SIGTERM");
  await child.ended;
  expect(child.lines.join("\n")).toContain("SIGTERM: the limiter ends");
});
