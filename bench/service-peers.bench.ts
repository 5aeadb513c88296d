/**
 * By how much services with peers exceed a limit.
 * Real processes, with a relay between each two that delays their messages. Every grant is written down
 * with the time at which it was given, and each row is held against the theorem of docs/service.md ("Several
 * services") with the longest delay that was measured in that very run.
 *
 * "Far above" sends each service five times the limit, "moderate" sends all of them together 1.2 times the limit.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Subscriber } from "zeromq";
import { freePort } from "../scripts/cluster/free-port.ts";
import { type PeerEvent, read } from "../service/peers/message.ts";
import { startLimiterService } from "../testing/limiter-service.ts";
import { requesterOf } from "../testing/zeromq-requester.ts";
import { medianOf } from "./measure.ts";
import { boundOfBucket, boundOfWindow, type Grant, inAnySecond, windowsOf } from "./service/peers-bounds.ts";
import type { SteadyLoad } from "./service/peers-load.ts";
import type { Report } from "./table.ts";
import { startWorker } from "./worker.ts";

const windowMs = 1_000;
const limit = 200;
const capacity = 50;
const leakPerSecond = 200;
const policies = {
  window: { algorithm: "fixed-window", limit, windowMs },
  bucket: { algorithm: "leaky-bucket", capacity, leakPerSecond },
};
const delaysMs = [0, 5, 20, 100, 500];
const warmUpMs = 1_000;
const runMs = 3_500;

const head =
  "| services | requested a second, each | delay | longest measured | granted in a window, median | most | at most, by the theorem | bucket: in any second, most | at most | a second, in the long run |";

/** Of the rows whose names contain a text, such as "4 services, 60 a second". */
export async function report(containing: string): Promise<Report> {
  const lines: string[] = [];
  let missed = 0;
  for (const count of [2, 4]) {
    const loads = [5 * limit, (1.2 * limit) / count]
      .flatMap((perSecond) => delaysMs.map((delayMs) => ({ perSecond, delayMs })))
      .filter(({ perSecond, delayMs }) =>
        `${count} services, ${perSecond} a second, ${delayMs} ms`.includes(containing),
      );
    if (loads.length === 0) continue;
    const setup = await startServices(count);
    try {
      for (const { perSecond, delayMs } of loads) {
        const row = await measure(setup, { perSecond, delayMs });
        if (!row.holds) missed += 1;
        lines.push(row.line);
        process.stderr.write(`${row.line}\n`);
      }
    } finally {
      await setup.stop();
    }
  }
  const title = `Services with peers: a window of ${limit} per second, and a bucket of ${capacity} that leaks ${leakPerSecond} a second`;
  return { text: [title, head, head.replace(/[^|]+/g, " --- "), ...lines].join("\n"), missed };
}

type Setup = Awaited<ReturnType<typeof startServices>>;

async function startServices(count: number) {
  const ports = await Promise.all(Array.from({ length: count }, freePort));
  const relay = fork(join(import.meta.dirname, "service/peers-relay.ts"), { execArgv: [] });
  const load = startWorker<SteadyLoad, number>(join(import.meta.dirname, "service/peers-load.ts"));
  relay.send({ targets: ports });
  const [relayed]: number[][] = await once(relay, "message");
  const addressOf = (port: number | undefined) => `tcp://127.0.0.1:${port}`;
  const services = await Promise.all(
    ports.map((port, index) =>
      startLimiterService({
        configuration: {
          policies,
          default: "window",
          store: "memory",
          peers: {
            publish: addressOf(port),
            subscribe: (relayed ?? []).filter((_, other) => other !== index).map(addressOf),
          },
        },
      }),
    ),
  );

  const grants: (PeerEvent & { from: string })[] = [];
  const direct = listen(ports.map(addressOf), (from, events) => {
    for (const event of events) grants.push({ ...event, from });
  });
  await allHear(services.map(({ zmq }) => zmq));

  return {
    count,
    relay,
    load,
    services,
    /** The new grants in order, and how late another service counted the last one. */
    async take() {
      const delaysMs = await Promise.all(services.map(({ http }) => longestDelayMs(http)));
      return { events: grants.splice(0), longestMs: Math.max(...delaysMs) };
    },
    async stop() {
      direct.close();
      relay.disconnect();
      load.stop();
      await Promise.all(services.map((service) => service.stop()));
    },
  };
}

async function longestDelayMs(http: string): Promise<number> {
  const metrics = await (await fetch(`${http}/metrics`)).text();
  return 1_000 * Number(/^limiter_peer_delay_seconds (\S+)$/m.exec(metrics)?.[1]);
}

function listen(
  addresses: string[],
  onEvents: (from: string, events: readonly PeerEvent[]) => void,
): Subscriber {
  const subscriber = new Subscriber({ receiveHighWaterMark: 0 });
  subscriber.subscribe();
  for (const address of addresses) subscriber.connect(address);
  void (async () => {
    for await (const [frame] of subscriber) {
      const parsed = read(String(frame));
      if ("message" in parsed) onEvents(parsed.message.from, parsed.message.events);
    }
  })();
  return subscriber;
}

/** Resolves when each service has received a message of each other one. */
async function allHear(addresses: string[]): Promise<void> {
  const requesters = addresses.map(requesterOf);
  for (const [index, sender] of requesters.entries())
    for (const receiver of requesters.filter((requester) => requester !== sender))
      for (let remaining: unknown = limit; remaining === limit; await sleep(20)) {
        await sender.request({ policy: "window", key: `hello ${index}` });
        // Repeat until it arrives: a window that ends meanwhile forgets it.
        ({ remaining } = await receiver.request({ verb: "peek", policy: "window", key: `hello ${index}` }));
      }
  for (const requester of requesters) requester.close();
}

async function measure(setup: Setup, { perSecond, delayMs }: { perSecond: number; delayMs: number }) {
  const { count, services, relay, load, take } = setup;
  relay.send({ delayMs });
  await sleep(200 + 2 * delayMs);
  await take();
  const key = `${delayMs} ms, ${perSecond} a second`;
  const begin = Date.now();
  const allowed = await load.run({
    services: services.map(({ zmq }) => zmq),
    policies: Object.keys(policies),
    key,
    perSecond,
    forMs: runMs,
  });
  const end = begin + runMs;
  await sleep(200 + 2 * delayMs);
  const { events, longestMs } = await take();
  if (events.length !== allowed) throw new Error(`${allowed} were allowed, and ${events.length} published`);

  const of = (policy: string): Grant[] => events.filter((event) => event.policy === policy);
  const windows = windowsOf(of("window"), windowMs).filter(
    ({ startsAt }) => startsAt >= begin && startsAt + windowMs <= end,
  );
  const totals = windows.map(({ grants }) => grants.length);
  const most = Math.max(...totals);
  const bounds = windows.map(({ grants }) => boundOfWindow(grants, { limit, delayMs: longestMs }));
  const holds = windows.every(({ grants }, index) => grants.length <= (bounds[index] ?? 0));

  const bucket = of("bucket");
  const inASecond = inAnySecond(bucket);
  const settings = { capacity, leakPerSecond, delayMs: longestMs };
  const bucketBound = Math.max(...inASecond.map((grants) => boundOfBucket(grants, settings)));
  const bucketHolds = inASecond.every((grants) => grants.length <= boundOfBucket(grants, settings));
  const bucketMost = Math.max(...inASecond.map((grants) => grants.length));
  const steady = bucket.filter(({ at }) => at >= begin + warmUpMs && at < end);
  const cells = [
    count,
    perSecond,
    `${delayMs} ms`,
    `${longestMs} ms`,
    `${Math.round(medianOf(totals))} (${percent(medianOf(totals) / limit)})`,
    `${most} (${percent(most / limit)})`,
    Math.max(...bounds),
    bucketMost,
    Math.floor(bucketBound),
    Math.round((1_000 * steady.length) / (runMs - warmUpMs)),
  ];
  const fails = holds && bucketHolds ? "" : " BROKEN";
  return { line: `| ${cells.join(" | ")} |${fails}`, holds: holds && bucketHolds };
}

function percent(ratio: number): string {
  return `${ratio >= 1 ? "+" : ""}${Math.round(100 * (ratio - 1))} %`;
}
