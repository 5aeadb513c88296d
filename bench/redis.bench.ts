/**
 * The cost of a limiter's decision in Redis.
 *
 * The library's store beside rate-limiter-flexible and `@upstash/ratelimit`, and beside the floor, one EVALSHA of a
 * script that reads and writes. All on one plain Redis on this machine, by ioredis with the same options, on the same
 * keys: 50 decisions at a time on many keys, on a single one, and one at a time.
 *
 * The others have a second connection with ioredis's automatic pipelining, which suits them better when many decisions
 * are under way. The library is compared with the fastest of the others, with or without pipelining.
 *
 * How busy the machine is changes these ratios more than those of other parts. With a free processor, the wake-ups of
 * sleeping processes count: a call and its answer take longest (the library's one key has one call under way, for all
 * waiting requests), and turns of pipelining wait for each other. With none free, the work of client and server
 * together counts.
 */
import { Ratelimit } from "@upstash/ratelimit";
import type { Redis } from "ioredis";
import { startRedis } from "../testing/redis-server.ts";
import {
  besideBest,
  compare,
  type DecisionLoad,
  keysOf,
  narrow,
  requireSameDecisions,
  type Subject,
  wide,
} from "./decisions.ts";
import { medianOf, ratioOf } from "./measure.ts";
import { type Connections, connectionsTo, flexible, floor, upstash, weir } from "./redis-limiters.ts";
import type { Figure, Target } from "./table.ts";

export const title = "One decision in Redis, every request admitted (speed)";

const rounds = 40;
const manyKeys = keysOf(1_000);
const hotKey = ["post:hot"];
const ours = "weir";
const floors = ["one EVALSHA", "one EVALSHA, pipelined"];
const pipelined = { enableAutoPipelining: true };

export async function run(): Promise<Figure[]> {
  const server = await startRedis();
  const connections = connectionsTo(server.url);
  try {
    const admin = await connections.open();
    for (const [name, decide] of Object.entries(await limitersOf(connections, narrow))) {
      // The two ways of a library have the same keys.
      await admin.flushall();
      await requireSameDecisions({ [name]: decide });
    }
    await admin.flushall();
    const subjects = { ...(await limitersOf(connections, wide)), ...(await floorsOf(connections)) };
    return [
      ...(await speeds(subjects, {
        name: "50 at a time, 1,000 keys",
        load: { decisions: 2_000, keys: manyKeys, inFlight: 50 },
        target: { atLeast: 1 },
      })),
      ...(await speeds(subjects, {
        name: "50 at a time, 1 key",
        load: { decisions: 2_000, keys: hotKey, inFlight: 50 },
        target: { atLeast: 5 },
      })),
      ...(await speeds(subjects, {
        name: "one at a time, 1,000 keys",
        load: { decisions: 300, keys: manyKeys, inFlight: 1 },
      })),
      ...(await bytesPerKey(connections, admin)),
    ];
  } finally {
    connections.close();
    await server.stop();
  }
}

async function limitersOf({ open }: Connections, limit: typeof wide): Promise<Record<string, Subject>> {
  return {
    [ours]: weir(await open(), limit),
    "rate-limiter-flexible": flexible(await open(), limit),
    "rate-limiter-flexible, pipelined": flexible(await open(pipelined), limit),
    "@upstash/ratelimit": upstash(await open(), limit),
    "@upstash/ratelimit, pipelined": upstash(await open(pipelined), limit),
  };
}

async function floorsOf({ open }: Connections): Promise<Record<string, Subject>> {
  return {
    "one EVALSHA": await floor(await open()),
    "one EVALSHA, pipelined": await floor(await open(pipelined)),
  };
}

interface Measured {
  name: string;
  load: DecisionLoad;
  /** Beside the fastest of the others. */
  target?: Target;
}

async function speeds(
  subjects: Record<string, Subject>,
  { name, load, target }: Measured,
): Promise<Figure[]> {
  const { [ours]: weir = [], ...others } = await compare(rounds, subjects, load);
  const peers = Object.fromEntries(Object.entries(others).filter(([other]) => !floors.includes(other)));
  const best = besideBest(weir, peers);
  return [
    { name, value: medianOf(weir) / 1_000, unit: "thousand/s" },
    {
      name: `${name}: weir / the fastest other, ${best.name}`,
      value: best.value,
      ...(target && { target }),
    },
    ...Object.entries(others)
      .filter(([other]) => other !== best.name)
      .map(([other, measured]) => ({ name: `${name}: weir / ${other}`, value: ratioOf(weir, measured) })),
  ];
}

/** The memory of a key as Redis reports it, its name included. */
async function bytesPerKey({ open }: Connections, admin: Redis): Promise<Figure[]> {
  const tokenBucket = Ratelimit.tokenBucket(1, "100 s", wide.limit);
  const subjects = {
    weir: weir(await open(), wide),
    "rate-limiter-flexible": flexible(await open(), wide),
    "@upstash/ratelimit, fixed window": upstash(await open(), wide),
    "@upstash/ratelimit, token bucket": upstash(await open(), wide, tokenBucket),
  };
  const figures: Figure[] = [];
  for (const [name, decide] of Object.entries(subjects)) {
    await admin.flushall();
    await decide({ decisions: manyKeys.length * 2, keys: manyKeys, inFlight: 50 });
    const keys = await admin.keys("*");
    const bytes = await Promise.all(keys.map((key) => admin.memory("USAGE", key)));
    const total = bytes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
    figures.push({ name: `${name}: bytes per key`, value: total / manyKeys.length, unit: "B" });
  }
  return figures;
}
