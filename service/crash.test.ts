import { describe, expect, it, onTestFinished } from "vitest";
import * as zeromq from "zeromq";
import { LimiterServiceError, limiterClient } from "../lib/limiter/client.ts";
import { temporaryFolder } from "../testing/database.ts";
import { type LimiterService, startLimiterService } from "../testing/limiter-service.ts";
import { runningClient, storesForTest } from "../testing/running-service.ts";

const limit = 4_000;
const clients = 8;
const inFlightEach = 8;

const { memory: _, ...stores } = storesForTest;

describe.each(Object.entries(stores))(
  "a service that is killed under load and started again: %s",
  (_, store) => {
    it("grants nothing twice, and loses at most the requests in flight; its clients continue by themselves", async () => {
      const start = await restartable(await store());
      let service = await start();
      let granted = 0;
      let kills = 0;
      /**
       * Requests without an answer, or without one of the store.
       * They may have been counted all the same.
       */
      let undecided = 0;
      const restarts: Promise<void>[] = [];
      const restart = async () => {
        const { zmq } = service;
        await service.kill();
        service = await start(zmq);
      };

      const send = async (consume: () => Promise<{ allowed: boolean; reason: object }>) => {
        for (;;) {
          const answer = await consume().catch((error: unknown) => {
            if (error instanceof LimiterServiceError) return undefined;
            throw error;
          });
          if (!answer || "unavailable" in answer.reason) {
            undecided += 1;
            continue;
          }
          if (!answer.allowed) return;
          granted += 1;
          if (granted % 1_000 !== 0 || kills === 3) continue;
          kills += 1;
          restarts.push(restart());
        }
      };
      const requesters = Array.from({ length: clients }, () => {
        const limiter = runningClient({ address: service.zmq, attempts: 50 }).limiter();
        return Array.from({ length: inFlightEach }, () => send(() => limiter.consume("key")));
      });
      await Promise.all(requesters.flat());
      await Promise.all(restarts);

      expect(kills).toBe(3);
      expect(granted).toBeLessThanOrEqual(limit);
      expect(granted).toBeGreaterThanOrEqual(limit - kills * clients * inFlightEach - undecided);
    });
  },
);

describe("a service that stands still for a while", () => {
  it("counts a retried request once", async () => {
    const start = await restartable("memory");
    const service = await start();
    let disconnections = 0;
    class Dealer extends zeromq.Dealer {
      constructor(options: zeromq.SocketOptions<zeromq.Dealer>) {
        super(options);
        this.events.on("disconnect", () => {
          disconnections += 1;
        });
      }
    }
    const settings = { address: service.zmq, timeoutMs: 100, attempts: 500 };
    const client = limiterClient({ zeromq: { Dealer }, ...settings });
    onTestFinished(() => client.close());
    const limiter = client.limiter();
    let granted = 0;
    const send = async () => {
      for (let request = 0; request < 20; request += 1)
        if ((await limiter.consume("key")).allowed) granted += 1;
    };
    const first = Array.from({ length: 50 }, send);
    await limiter.peek("key");
    const before = disconnections;
    service.signal("SIGSTOP");
    const second = Array.from({ length: 50 }, send);
    // The client has retried, and misses heartbeats.
    await expect.poll(() => disconnections).toBeGreaterThan(before);
    service.signal("SIGCONT");
    await Promise.all([...first, ...second]);
    expect(granted).toBe(2_000);
    expect(await limiter.peek("key")).toMatchObject({ reason: { used: 2_000 } });
  });
});

/** Starts a service, and later another one on its files, at its address. */
async function restartable(store: string) {
  const folder = temporaryFolder();
  const configuration = {
    policies: { hour: { algorithm: "fixed-window", limit, windowMs: 3_600_000, outage: "closed" } },
    default: "hour",
    store,
  };
  const started: LimiterService[] = [];
  onTestFinished(async () => {
    for (const each of started) await each.kill();
  });
  return async (zmq?: string) => {
    const service = await startLimiterService({ configuration, folder, ...(zmq && { zmq }) });
    started.push(service);
    return service;
  };
}
