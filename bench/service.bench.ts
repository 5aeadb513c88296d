/**
 * Round trips of the limiter as a service, beside a bare echo that does nothing else: over ZeroMQ a ROUTER that sends back
 * each message, over HTTP a server that sends back each body. Service, echo and client are processes of their own on this machine,
 * with one client for all sides. 50 requests are under way at a time, over ZeroMQ on one connection, over HTTP on 50.
 *
 * The requests, in the echo too, are those of `lib/limiter/client.ts`, each with an id of its own: the service remembers them
 * all. Both sides share the processors with the client: the ratio holds for one machine that does all of it.
 */
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { startLimiterService } from "../testing/limiter-service.ts";
import { startRedis } from "../testing/redis-server.ts";
import { inFolder } from "./databases.ts";
import { inTurns, medianOf, ratioOf } from "./measure.ts";
import { type Echo, type Loaded, startEcho, startLoadClient } from "./service/load.ts";
import type { Report } from "./table.ts";
import { type Figure, isMet, tableOf } from "./table.ts";

const title = "The limiter as a service, 50 requests under way, beside a bare echo";

const ways = [
  { way: "zmq", name: "ZeroMQ" },
  { way: "http", name: "HTTP" },
] as const;
const loads = [
  { name: "1 key", keys: 1 },
  { name: "1,000 keys", keys: 1_000 },
];
const inFlight = 50;
const requests = 10_000;

interface Settings {
  /** As in the configuration file. */
  store: string;
  rounds: number;
  /** The least ratio to the echo, by protocol. */
  targets?: { zmq: number; http: number };
}

export async function report(): Promise<Report> {
  const figures = await inFolder(async (folder) => {
    const redis = await startRedis();
    try {
      return [
        ...(await figuresOf({ store: "memory", rounds: 20, targets: { zmq: 0.8, http: 0.7 } })),
        ...(await figuresOf({ store: `sqlite:${join(folder, "limiter.db")}`, rounds: 5 })),
        ...(await figuresOf({ store: redis.url, rounds: 5 })),
      ];
    } finally {
      await redis.stop();
    }
  });
  const machine = `  ${availableParallelism()} processors; ${loadavg()[0]?.toFixed(1)} processes, this one's too, wanted them in the last minute`;
  const [head = "", ...lines] = tableOf(title, figures).split("\n");
  return {
    text: [head, machine, ...lines].join("\n"),
    missed: figures.filter((figure) => !isMet(figure)).length,
  };
}

async function figuresOf(settings: Settings): Promise<Figure[]> {
  const service = await startLimiterService({
    configuration: {
      policies: { wide: { algorithm: "fixed-window", limit: 1_000_000_000, windowMs: 3_600_000 } },
      default: "wide",
      store: settings.store,
    },
  });
  const echo = await startEcho();
  try {
    const figures: Figure[] = [];
    for (const way of ways)
      for (const load of loads) figures.push(...(await compare(service, echo, { ...settings, way, load })));
    return figures;
  } finally {
    echo.stop();
    await service.stop();
  }
}

interface Comparison extends Settings {
  way: (typeof ways)[number];
  load: (typeof loads)[number];
}

async function compare(
  service: Pick<Echo, "zmq" | "http">,
  echo: Echo,
  { way, load, rounds, store, targets }: Comparison,
): Promise<Figure[]> {
  const client = startLoadClient();
  const seen: Record<"ours" | "echo", Loaded[]> = { ours: [], echo: [] };
  const side =
    (name: keyof typeof seen, addresses: Pick<Echo, "zmq" | "http">, expected: string) => async () => {
      const loaded = await client.run({
        address: addresses[way.way],
        requests,
        inFlight,
        keys: load.keys,
        expected,
      });
      seen[name].push(loaded);
      return loaded.perSecond;
    };
  try {
    const speeds = await inTurns(rounds, {
      ours: side("ours", service, '"allowed":true'),
      echo: side("echo", echo, '"verb":"consume"'),
    });
    const name = `${way.name}, ${store.replace(/:.*/, "")}, ${load.name}`;
    const milliseconds = (which: keyof typeof seen, quantile: "p50Ms" | "p99Ms"): Figure => ({
      name: `${name}: ${which === "ours" ? "service" : "echo"} ${quantile.slice(0, 3)}`,
      value: medianOf(seen[which].slice(1).map((loaded) => loaded[quantile])),
      unit: "ms",
    });
    return [
      { name: `${name}: service`, value: medianOf(speeds.ours) / 1_000, unit: "thousand/s" },
      {
        name: `${name}: service / echo`,
        value: ratioOf(speeds.ours, speeds.echo),
        ...(targets && { target: { atLeast: targets[way.way] } }),
      },
      ...(["ours", "echo"] as const).flatMap((which) => [
        milliseconds(which, "p50Ms"),
        milliseconds(which, "p99Ms"),
      ]),
    ];
  } finally {
    client.stop();
  }
}
