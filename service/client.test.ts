import { connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import * as zeromq from "zeromq";
import { type LimiterClientSettings, LimiterServiceError, limiterClient } from "../lib/limiter/client.ts";
import { freePort } from "../scripts/cluster/free-port.ts";
import { runningClient, runningService } from "../testing/running-service.ts";
import { frameMaximumBytes } from "./zeromq.ts";

const configuration = {
  policies: {
    hour: { algorithm: "fixed-window", limit: 100, windowMs: 3_600_000 },
    bucket: { algorithm: "token-bucket", capacity: 1, refillPerSecond: 20 },
  },
  default: "hour",
  store: "memory",
  rules: [
    { name: "blocked", when: { user: "mallory" }, answer: "deny", tell: "You are blocked." },
    { name: "each", key: ["user"], policy: "hour" },
  ],
};

describe("limiterClient", () => {
  it("has the library's own verbs for a policy", async () => {
    const { zmq } = await service();
    const limiter = client({ address: zmq }).limiter("hour");
    expect(await limiter.peek("ada")).toMatchObject({ allowed: true, remaining: 100, retryAfterMs: 0 });
    expect(await limiter.consume("ada", 60)).toMatchObject({
      allowed: true,
      remaining: 40,
      rule: null,
      policy: "hour",
    });
    expect(await limiter.consume("ada", 60)).toMatchObject({ allowed: false, remaining: 40, limit: 100 });
    expect(await limiter.peek("bob")).toMatchObject({ remaining: 100 });
  });

  it("waits, refunds and resets", async () => {
    const { zmq } = await service();
    const limiterService = client({ address: zmq });
    const bucket = limiterService.limiter("bucket");
    const waits = [1, 2, 3].map(() => bucket.wait("ada", { maxWaitMs: 60_000 }));
    expect((await Promise.all(waits)).map(({ allowed }) => allowed)).toEqual([true, true, true]);
    const hour = limiterService.limiter("hour");
    await hour.consume("ada", 3);
    expect(await hour.refund("ada", 2)).toBe(true);
    expect(await hour.consume("ada")).toMatchObject({ remaining: 98 });
    await hour.reset("ada");
    expect(await hour.refund("ada")).toBe(false);
    expect(await hour.consume("ada")).toMatchObject({ remaining: 99 });
  });

  it("checks the rules by fields, and returns the deciding rule and its message", async () => {
    const { zmq } = await service();
    const limiterService = client({ address: zmq });
    const sendRequest = (user: string) =>
      limiterService.request({ verb: "consume", fields: { user }, cost: 10 });
    expect(await sendRequest("ada")).toMatchObject({ allowed: true, remaining: 90, rule: "each" });
    expect(await sendRequest("mallory")).toMatchObject({
      allowed: false,
      rule: "blocked",
      message: "You are blocked.",
    });
    const matching = await limiterService.rules({ user: "ada" });
    expect(matching.map(({ rule, remaining }) => ({ rule, remaining }))).toEqual([
      { rule: "each", remaining: 90 },
    ]);
  });

  it("uses the default policy unless one is named", async () => {
    const { zmq } = await service();
    expect(await client({ address: zmq }).limiter().consume("ada")).toMatchObject({ policy: "hour" });
  });

  it("has any number of concurrent requests, each with its own answer", async () => {
    const { zmq } = await service();
    const limiter = client({ address: zmq }).limiter("hour");
    const keys = Array.from({ length: 2_000 }, (_, index) => `key ${index}`);
    for (const [index, key] of keys.entries()) if (index % 2 === 1) await limiter.consume(key);
    const answers = await Promise.all(keys.map((key) => limiter.peek(key)));
    expect(answers.map(({ remaining }) => remaining)).toEqual(keys.map((_, index) => 100 - (index % 2)));
  });

  it("rejects with the service's objection", async () => {
    const { zmq } = await service();
    const unknown = client({ address: zmq }).limiter("no such policy").consume("ada");
    await expect(unknown).rejects.toThrow(LimiterServiceError);
    await expect(unknown).rejects.toThrow("no such policy");
  });

  it("waits for a service that is started later, and then runs", async () => {
    const zmq = `tcp://127.0.0.1:${await freePort()}`;
    const limiter = client({ address: zmq }).limiter("hour");
    const early = Promise.all([limiter.consume("ada"), limiter.consume("ada")]);
    await service({ zmq });
    expect((await early).map(({ remaining }) => remaining)).toEqual([99, 98]);
  });

  it("resumes by itself when the service was killed and restarts", async () => {
    const first = await service();
    const limiter = client({ address: first.zmq }).limiter("hour");
    await limiter.consume("ada");
    await first.kill();
    const meanwhile = limiter.consume("ada");
    await service({ zmq: first.zmq });
    expect(await meanwhile).toMatchObject({ allowed: true, remaining: 99 });
    expect(await limiter.consume("ada")).toMatchObject({ remaining: 98 });
  });

  it("notices a dead connection that was not closed", async () => {
    const { zmq } = await service();
    const line = await breakableLine(Number(new URL(zmq).port));
    const limiter = client({ address: line.address }).limiter("hour");
    await limiter.consume("ada");
    line.swallowAll();
    expect(await limiter.consume("ada")).toMatchObject({ allowed: true, remaining: 98 });
  });

  it("connects with the token, and fails with the reason without it", async () => {
    const token = "a-token-of-more-than-thirty-two-characters";
    const { zmq, stop } = await service({ env: { LIMITER_TOKEN: token } });
    expect(await client({ address: zmq, token }).limiter().consume("ada")).toMatchObject({ allowed: true });
    // libzmq gives up for good when it encrypts and the other does not, or the other way round.
    const patient = client({ address: zmq }).limiter().consume("ada");
    await Promise.all(
      [undefined, `another-${token}`].map((wrong) => {
        const outside = client({ address: zmq, token: wrong, timeoutMs: 100, attempts: 2 }).limiter();
        return expectFailure(outside, "`token` must be its LIMITER_TOKEN");
      }),
    );
    await stop();
    await service({ zmq });
    expect(await patient).toMatchObject({ allowed: true });
  });

  it("fails after all attempts with the address that does not answer", async () => {
    const address = `tcp://127.0.0.1:${await freePort()}`;
    const limiter = client({ address, timeoutMs: 20, attempts: 3 }).limiter();
    await expect(limiter.consume("ada")).rejects.toThrow(
      `The limiter service at ${address} has not answered in 60 ms. Nothing answers there`,
    );
  });

  it("reports a stopped service when it is connected and does not answer", async () => {
    const { address, received } = await silentService();
    const limiter = client({ address, timeoutMs: 50, attempts: 2 }).limiter();
    await expectFailure(limiter, "in 100 ms. It is connected");
    const sent = new Set(received);
    for (const each of sent) expect(received.filter((body) => body === each).length).toBeLessThanOrEqual(2);
  });

  it("retries under the same id without an answer, and takes the first one", async () => {
    const { router, address } = await silentService({ reads: false });
    const answer = client({ address, timeoutMs: 50, attempts: 1_000 }).limiter("hour").consume("ada");
    const [, , first] = await router.receive();
    const [sender = "", , second] = await router.receive();
    expect(String(second)).toBe(String(first));
    const { id } = JSON.parse(String(first));
    await router.send([sender, "", ""]);
    await router.send([sender, "", "go"]);
    await router.send([sender, "", JSON.stringify({ ...decision, id: "another's", remaining: 1 })]);
    await router.send([sender, "", JSON.stringify({ ...decision, id, remaining: 2 })]);
    await router.send([sender, "", JSON.stringify({ ...decision, id, remaining: 3 })]);
    expect(await answer).toMatchObject({ remaining: 2 });
  });

  it("allows a wait its time before it retries", async () => {
    const { router, address } = await silentService({ reads: false });
    const limiter = client({ address, timeoutMs: 50, attempts: 1_000 }).limiter("hour");
    const wait = limiter.wait("ada", { maxWaitMs: 3_600_000 });
    const peek = limiter.peek("ada");
    const verbs: string[] = [];
    for (let message = 0; message < 5; message += 1) {
      const [sender = "", , body] = await router.receive();
      const { id, verb } = JSON.parse(String(body));
      verbs.push(verb);
      if (message === 4)
        for (const each of [id, firstId(id)])
          await router.send([sender, "", JSON.stringify({ ...decision, id: each })]);
    }
    expect(verbs).toEqual(["wait", "peek", "peek", "peek", "peek"]);
    await Promise.all([wait, peek]);
  });

  it("resends a request at once after a reconnection", async () => {
    const first = await silentService({ reads: false });
    const wait = client({ address: first.address }).limiter("hour").wait("ada", { maxWaitMs: 3_600_000 });
    const [, , sent] = await first.router.receive();
    first.router.close();
    const { router } = await silentService({ reads: false, address: first.address });
    const [sender = "", , again] = await router.receive();
    expect(String(again)).toBe(String(sent));
    await router.send([sender, "", JSON.stringify({ ...decision, id: JSON.parse(String(again)).id })]);
    expect(await wait).toMatchObject({ allowed: true });
  });

  it("refunds the count of an aborted wait", async () => {
    const { router, address } = await silentService({ reads: false });
    const abort = new AbortController();
    const wait = client({ address })
      .limiter("hour")
      .wait("ada", { maxWaitMs: 5_000, cost: 2, signal: abort.signal });
    const [sender = "", , body] = await router.receive();
    abort.abort(new Error("the caller has left"));
    await expect(wait).rejects.toThrow("the caller has left");
    await router.send([sender, "", JSON.stringify({ ...decision, id: JSON.parse(String(body)).id })]);
    const [, , refund] = await router.receive();
    expect(JSON.parse(String(refund))).toMatchObject({ verb: "refund", policy: "hour", key: "ada", cost: 2 });
  });

  it("sends nothing when the signal has aborted already", async () => {
    const { address, received } = await silentService();
    const limiter = client({ address }).limiter();
    const signal = AbortSignal.abort(new Error("too late"));
    await expect(limiter.wait("ada", { maxWaitMs: 5_000, signal })).rejects.toThrow("too late");
    expect(received).toEqual([]);
  });

  it("rejects requests in flight when it is closed, and later ones", async () => {
    const { address } = await silentService();
    const limiterService = client({ address });
    const answer = limiterService.limiter().consume("ada");
    limiterService.close();
    await expect(answer).rejects.toThrow("The limiter client is closed");
    await expect(limiterService.limiter().consume("ada")).rejects.toThrow("The limiter client is closed");
  });

  it.each([
    [{ timeoutMs: 0 }, "limiterClient: timeoutMs"],
    [{ attempts: 1.5 }, "limiterClient: attempts"],
    [{ attempts: 51 }, "at most 50000"],
    [{ address: "127.0.0.1:7777" }, "limiterClient: address must be like tcp://127.0.0.1:7777"],
  ])("refuses %o", (settings, message) => {
    expect(() => limiterClient({ zeromq, ...settings })).toThrow(message);
  });

  it("refuses a request with an unknown option, and names the known one that is most like it", async () => {
    const { address } = await silentService();
    const requests = client({ address });
    const misspelt = { polcy: "hour", maxWaitMS: 5 };
    const { polcy, maxWaitMS } = misspelt;
    await expect(requests.request({ verb: "consume", ...{ polcy } })).rejects.toThrow(
      'request: there is no setting "polcy". Did you mean policy?',
    );
    await expect(requests.limiter().wait("ada", { maxWaitMs: 5, ...{ maxWaitMS } })).rejects.toThrow(
      "Did you mean maxWaitMs?",
    );
  });

  it.each([0, -1, Number.NaN, 1e308])("refuses a cost of %d, like any limiter", async (cost) => {
    const { address } = await silentService();
    await expect(client({ address }).limiter().consume("ada", cost)).rejects.toThrow("cost must be");
  });

  it("refuses a request that is larger than the service takes at a time, and no smaller one", async () => {
    const { zmq } = await service();
    const limiter = client({ address: zmq }).limiter();
    const tooMuch = "ä".repeat(frameMaximumBytes / 2);
    await expect(limiter.consume(tooMuch)).rejects.toThrow(`at most ${frameMaximumBytes} bytes`);
    await expect(limiter.consume(tooMuch.slice(0, -100))).rejects.toThrow(
      "must have at most 1,000 characters",
    );
    expect(await limiter.consume("ada")).toMatchObject({ allowed: true });
  });
});

const decision = {
  allowed: true,
  limit: 9,
  remaining: 9,
  retryAfterMs: 0,
  resetAfterMs: 0,
  reason: {},
  rule: null,
  policy: "hour",
};

/** The id that the same client made first. */
function firstId(id: string): string {
  return `${id.split(".")[0]}.1`;
}

function service(options: { zmq?: string; env?: Record<string, string> } = {}) {
  return runningService({ configuration, ...options });
}

function client(settings: Omit<LimiterClientSettings, "zeromq">) {
  return runningClient(settings);
}

/**
 * Waits until a request fails with this message.
 * The first may end before the handshake has.
 */
function expectFailure(limiter: { consume(key: string): Promise<unknown> }, message: string) {
  const failure = () => limiter.consume("ada").catch(String);
  return expect.poll<unknown>(failure).toContain(message);
}

/** Receives requests, unless the test does, and answers none. */
async function silentService({ reads = true, address = "tcp://127.0.0.1:*" } = {}) {
  const router = new zeromq.Router({ linger: 0 });
  onTestFinished(() => router.close());
  await bindAgain(router, address);
  const received: string[] = [];
  const read = async () => {
    for await (const [, , body] of router) received.push(String(body));
  };
  if (reads) void read().catch(() => {});
  return { router, received, address: router.lastEndpoint ?? "" };
}

/** A socket that was closed may hold its port a moment longer. */
async function bindAgain(router: zeromq.Router, address: string): Promise<void> {
  for (;;) {
    try {
      return await router.bind(address);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error;
      await sleep(10);
    }
  }
}

/**
 * A way to a port of this machine that can go dead.
 * No more bytes, and no end, for the connections that there are.
 */
async function breakableLine(port: number) {
  const lines = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      lines.add(from);
      from.on("data", (data) => to.write(data));
      from.on("error", () => {});
    }
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.close();
    for (const each of lines) each.destroy();
  });
  await new Promise((resolve) => server.once("listening", resolve));
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("A TCP server has a port");
  return {
    address: `tcp://127.0.0.1:${bound.port}`,
    swallowAll() {
      for (const each of lines) each.removeAllListeners("data").resume();
    },
  };
}
