/**
 * The cost of a limiter's decision in SQLite.
 *
 * The app's store beside rate-limiter-flexible on better-sqlite3 and on Drizzle, and beside the floor, one raw upsert
 * for each decision. All have 1,000 keys, a file of their own on one disk and the app's pragmas (WAL,
 * synchronous=FULL), and decide in this process: one after the other, and 50 at a time.
 *
 * The targets are for that, as the app runs. A limiter that commits each decision by itself waits for the disk each
 * time, so one at a time that wait is most of the time on every side. The lines without it (synchronous=OFF) show the
 * cost of the libraries themselves; they have no target.
 */
import { inFolder } from "./databases.ts";
import { compare, keysOf, narrow, requireSameDecisions, wide } from "./decisions.ts";
import { medianOf, ratioOf } from "./measure.ts";
import { flexible, flexibleDrizzle, floor, type SqliteSide, weir } from "./sqlite-limiters.ts";
import type { Figure, Target } from "./table.ts";

export const title = "One decision in SQLite, every request admitted, 1,000 keys (speed)";

const keys = keysOf(1_000);
const atATime = 50;
const keysOnDisk = 20_000;

type Sides = Awaited<ReturnType<typeof open>>;

export function run(): Promise<Figure[]> {
  return inFolder(async (folder) => {
    const limited = await open(folder, narrow);
    await requireSameDecisions({
      weir: limited.weir.decide,
      "rate-limiter-flexible": limited.flexible.decide,
      "its Drizzle": limited.drizzle.decide,
    });
    close(limited);
    const sides = await open(folder, wide);
    try {
      return await figuresOf(sides);
    } finally {
      close(sides);
    }
  });
}

async function open(folder: string, limit: typeof wide) {
  return {
    weir: weir(folder, limit),
    flexible: await flexible(folder, limit),
    drizzle: flexibleDrizzle(folder, limit),
    floor: floor(folder, limit, 1),
    sharedFloor: floor(folder, limit, atATime),
  };
}

function close(sides: Sides): void {
  for (const { sqlite } of listOf(sides)) sqlite.close();
}

function listOf(sides: Sides): SqliteSide[] {
  return Object.values(sides);
}

async function figuresOf(sides: Sides): Promise<Figure[]> {
  const synchronous = (setting: "FULL" | "OFF") => {
    for (const { sqlite } of listOf(sides)) sqlite.pragma(`synchronous = ${setting}`);
  };
  synchronous("OFF");
  // All rows are there before anything is measured.
  for (const { decide } of listOf(sides)) await decide({ decisions: keys.length, keys, inFlight: atATime });
  const unawaited = [
    ...(await speeds(sides, { inFlight: 1, rounds: 40, decisions: 500 })),
    ...(await speeds(sides, { inFlight: atATime, rounds: 40, decisions: 500 })),
  ];
  synchronous("FULL");
  const targets = { flexible: { atLeast: 1.5 }, drizzle: { atLeast: 5 } };
  const durable = [
    ...(await speeds(sides, { inFlight: 1, rounds: 40, decisions: 50, targets })),
    ...(await speeds(sides, { inFlight: atATime, rounds: 40, decisions: 100, targets })),
  ];
  synchronous("OFF");
  return [...durable, ...unawaited, ...(await bytesPerKey(sides))];
}

interface Measured {
  inFlight: number;
  rounds: number;
  decisions: number;
  /** Without, the figures are there to explain others. */
  targets?: { flexible: Target; drizzle: Target };
}

async function speeds(sides: Sides, { inFlight, rounds, decisions, targets }: Measured): Promise<Figure[]> {
  const { weir, flexible, drizzle, floor, sharedFloor } = await compare(
    rounds,
    {
      weir: sides.weir.decide,
      flexible: sides.flexible.decide,
      drizzle: sides.drizzle.decide,
      floor: sides.floor.decide,
      sharedFloor: sides.sharedFloor.decide,
    },
    { decisions, keys, inFlight },
  );
  const how = `${inFlight === 1 ? "one" : inFlight} at a time${targets ? "" : ", not waiting for the disk"}`;
  const figures: Figure[] = [
    { name: how, value: medianOf(weir) / 1_000, unit: "thousand/s" },
    {
      name: `${how}: weir / rate-limiter-flexible on better-sqlite3`,
      value: ratioOf(weir, flexible),
      ...(targets && { target: targets.flexible }),
    },
    {
      name: `${how}: weir / rate-limiter-flexible on Drizzle`,
      value: ratioOf(weir, drizzle),
      ...(targets && { target: targets.drizzle }),
    },
    { name: `${how}: weir / one raw upsert`, value: ratioOf(weir, floor) },
  ];
  if (inFlight === 1) return figures;
  const name = `${how}: weir / as many raw upserts in one transaction`;
  return [...figures, { name, value: ratioOf(weir, sharedFloor) }];
}

/** The growth of a file by the rows of many keys, their indexes included. */
async function bytesPerKey(sides: Sides): Promise<Figure[]> {
  const { weir, flexible, drizzle } = sides;
  const names = {
    weir,
    "rate-limiter-flexible on better-sqlite3": flexible,
    "rate-limiter-flexible on Drizzle": drizzle,
  };
  const newKeys = keysOf(keysOnDisk).map((key) => `${key}:new`);
  const figures: Figure[] = [];
  for (const [name, { sqlite, decide }] of Object.entries(names)) {
    const size = () =>
      Number(sqlite.pragma("page_count", { simple: true })) *
      Number(sqlite.pragma("page_size", { simple: true }));
    const before = size();
    await decide({ decisions: newKeys.length, keys: newKeys, inFlight: atATime });
    figures.push({ name: `${name}: bytes per key`, value: (size() - before) / newKeys.length, unit: "B" });
  }
  return figures;
}
