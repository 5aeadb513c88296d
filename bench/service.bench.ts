/**
 * Round trips of the limiter as a service, beside a bare echo.
 * The echo does nothing else: over ZeroMQ a ROUTER that sends back each message, over HTTP a server that sends back each
 * body. Service, echo and client are processes of their own on this machine, with one client for all sides. 50 requests
 * are in flight at a time, over ZeroMQ on one connection, over HTTP on 50.
 *
 * The requests, in the echo too, are those of `lib/limiter/client.ts`, each with an id of its own: the service caches
 * all answers. Both sides share the processors with the client: the ratio holds for one machine that does all of it.
 */
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { startRedis } from "../scripts/cluster/start-redis.ts";
import { startLimiterService } from "../testing/limiter-service.ts";
import { inFolder } from "./databases.ts";
import { inTurns, medianOf, ratioOf } from "./measure.ts";
import { type Echo, type Loaded, startEcho, startLoadClient } from "./service/load.ts";
import type { Report } from "./table.ts";
import { type Figure, isMet, tableOf } from "./table.ts";

const title = "The limiter as a service, 50 requests in flight, beside a bare echo";

const ways = [
  { way: "zmq", name: "ZeroMQ" },
  { way: "http", name: "HTTP" },
] as const;
const loads = [
  { name: "1 key", keys: 1 },
  { name: "1,000 keys", keys: 1_000 },
];
const stores = ["memory", "sqlite", "redis"] as const;
const inFlight = 50;
/** V8 compiles most of the service during the first 30,000 requests. */
const warmUpRounds = 3;
/** The least ratio to the echo, with the states in memory. */
const targets = { zmq: 0.8, http: 0.8 };

/** One comparison. */
interface Row {
  name: string;
  way: (typeof ways)[number]["way"];
  keys: number;
  store: (typeof stores)[number];
}

const rows = stores.flatMap((store) =>
  ways.flatMap(({ way, name }) =>
    loads.map((load): Row => ({ name: `${name}, ${store}, ${load.name}`, way, keys: load.keys, store })),
  ),
);

/** Reports the rows whose names contain a text. */
export async function report(containing: string): Promise<Report> {
  const figures: Figure[] = [];
  for (const row of rows) if (row.name.includes(containing)) figures.push(...(await figuresOf(row)));
  const machine = `  ${availableParallelism()} processors; ${loadavg()[0]?.toFixed(1)} processes, this one's too, wanted them in the last minute`;
  const [head = "", ...lines] = tableOf(title, figures).split("\n");
  return {
    text: [head, machine, ...lines].join("\n"),
    missed: figures.filter((figure) => !isMet(figure)).length,
  };
}

/**
 * Compares one row, with a service and an echo of its own.
 * A service that has answered before keeps those answers.
 */
async function figuresOf(row: Row): Promise<Figure[]> {
  return inFolder(async (folder) => {
    const redis = row.store === "redis" ? await startRedis() : undefined;
    const service = await startLimiterService({
      configuration: {
        policies: { wide: { algorithm: "fixed-window", limit: 1_000_000_000, windowMs: 3_600_000 } },
        default: "wide",
        store: redis ? redis.url : row.store === "sqlite" ? `sqlite:${join(folder, "limiter.db")}` : "memory",
      },
    });
    const echo = await startEcho();
    try {
      return await compare(service, echo, row);
    } finally {
      echo.stop();
      await service.stop();
      await redis?.stop();
    }
  });
}

interface Seen extends Loaded {
  /** Of its process, for one request. */
  cpuMicroseconds: number;
}

async function compare(
  service: Pick<Echo, "zmq" | "http">,
  echo: Echo,
  { name, way, keys, store }: Row,
): Promise<Figure[]> {
  const isMemory = store === "memory";
  const requests = isMemory ? 10_000 : 2_000;
  const client = startLoadClient();
  const seen: Record<"ours" | "echo", Seen[]> = { ours: [], echo: [] };
  const side =
    (name: keyof typeof seen, address: string, expected: string, cpuSeconds: () => Promise<number>) =>
    async () => {
      const before = await cpuSeconds();
      const loaded = await client.run({ address, requests, inFlight, keys, expected });
      const cpuMicroseconds = (1_000_000 * ((await cpuSeconds()) - before)) / requests;
      seen[name].push({ ...loaded, cpuMicroseconds });
      return loaded.perSecond;
    };
  try {
    const sides = {
      ours: side("ours", service[way], '"allowed":true', () => cpuSecondsOf(service.http)),
      echo: side("echo", echo[way], '"verb":"consume"', echo.cpuSeconds),
    };
    const speeds = await inTurns(isMemory ? 16 : 3, sides, warmUpRounds);
    const median = (which: keyof typeof seen, figure: "p50Ms" | "p99Ms" | "cpuMicroseconds") =>
      medianOf(seen[which].slice(warmUpRounds).map((each) => each[figure]));
    const both = ["ours", "echo"] as const;
    const called = { ours: "service", echo: "echo" };
    return [
      { name: `${name}: service`, value: medianOf(speeds.ours) / 1_000, unit: "thousand/s" },
      {
        name: `${name}: service / echo`,
        value: ratioOf(speeds.ours, speeds.echo),
        ...(isMemory && { target: { atLeast: targets[way] } }),
      },
      ...both.map((which) => ({
        name: `${name}: ${called[which]} CPU for a request`,
        value: median(which, "cpuMicroseconds"),
        unit: "µs",
      })),
      ...both.flatMap((which) => [
        { name: `${name}: ${called[which]} p50`, value: median(which, "p50Ms"), unit: "ms" },
        { name: `${name}: ${called[which]} p99`, value: median(which, "p99Ms"), unit: "ms" },
      ]),
    ];
  } finally {
    client.stop();
  }
}

async function cpuSecondsOf(http: string): Promise<number> {
  const metrics = await (await fetch(`${http}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(metrics)?.[1]);
}
