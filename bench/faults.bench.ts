// Over 200 lines: one list of faults, each with its bound.

/**
 * Faults: kills, backups under load, and loads that once stopped the server.
 *
 * On SQLite and on PostgreSQL a process that rates is killed with -9 fifty times, and twenty backups are made while
 * ratings are saved at the given rate. Each backup is restored and checked (integrity, a recount, every rating
 * acknowledged before it began). Two nodes with different clocks share a limit, and a log that grew during a long read
 * shrinks. Then one server answers `/healthz` under loads that once stopped it. "Before" figures are from the version
 * without the protection, on another machine.
 */
import { join } from "node:path";
import { openSqlite } from "../db/dialects/sqlite/index.ts";
import { logMaximumBytes, logSize } from "../db/dialects/sqlite/write-ahead-log.ts";
import { type Database, openDatabase } from "../db/index.ts";
import { inspect } from "../db/inspect.ts";
import { countersThatDisagree } from "../db/recount.ts";
import { buildApp } from "../scripts/build.mjs";
import { type PostgresServer, startPostgres } from "../scripts/cluster/start-postgres.ts";
import { inFolder } from "./databases.ts";
import { backUpWhileRating } from "./faults/backups.ts";
import { admittedByTwoNodes } from "./faults/clocks.ts";
import { killRaters } from "./faults/kills.ts";
import { prepareRaters, type Raters } from "./faults/raters.ts";
import { type SlowestAnswers, serverFaults } from "./faults/server.ts";
import type { Figure } from "./table.ts";

export const title = "Faults: what is lost, and how long the server's slowest answer takes";

/** Ends a run that hangs, and with it all processes that it has started. */
const maximumMinutes = 40;
const kills = 50;
const backups = 20;
const writesPerSecond = 200;
/** Above the target, so that a short delay does not bring the rate below it. */
const writesSentPerSecond = 220;
/** Raters wait for one another. */
const fewPosts = { posts: 3, inFlight: 8 };
/** They hardly do. */
const manyPosts = { posts: 12, inFlight: 16 };
const half = { aheadMs: 500, capacity: 30, requests: 600 };
const minute = { aheadMs: 60_000, capacity: 10, requests: 1_000 };
const none = { below: 1 };
/** Milliseconds. */
const inTime = { below: 200 };
/** The server handles many requests at the same time. */
const behindManyRequests = { below: 1_000 };

/** Runs the parts whose name contains `rows`; all of them when it is empty. */
export async function run(rows = ""): Promise<Figure[]> {
  const overdue = setTimeout(() => {
    throw new Error(`This took more than ${maximumMinutes} minutes.`);
  }, maximumMinutes * 60_000);
  try {
    return await inFolder((folder) => runParts(folder, rows));
  } finally {
    clearTimeout(overdue);
  }
}

async function runParts(folder: string, rows: string): Promise<Figure[]> {
  let files = 0;
  const newFile = async () => {
    files += 1;
    return `file:${join(folder, `${files}.db`)}`;
  };
  let postgres: PostgresServer | undefined;
  const newDatabase = async () => {
    postgres ??= await startPostgres();
    return postgres.newDatabase();
  };
  const parts: Record<string, () => Promise<Figure[]>> = {
    SQLite: () => ofDatabase("SQLite", folder, newFile),
    PostgreSQL: () => ofDatabase("PostgreSQL", folder, newDatabase),
    clocks: async () => [
      await ofClocks(await newDatabase(), "0.5 s apart", half, "600"),
      await ofClocks(await newDatabase(), "60 s apart", minute, "1,000"),
    ],
    log: async () => [await logAfterLongRead(await newFile())],
    server: () => ofServer(folder),
  };
  const chosen = Object.entries(parts).filter(([name]) => name.includes(rows));
  const figures: Figure[] = [];
  try {
    if (chosen.some(([name]) => name === "server")) await buildApp(); // an impossible build is not worth ten minutes
    for (const [name, part] of chosen) {
      const startedAt = performance.now();
      figures.push(...(await part()));
      console.error(`${name}: ${Math.round((performance.now() - startedAt) / 1_000)} s`);
    }
    return figures;
  } finally {
    await postgres?.stop();
  }
}

async function ofDatabase(
  name: string,
  folder: string,
  newDatabase: () => Promise<string>,
): Promise<Figure[]> {
  const killed = await withRaters(await newDatabase(), fewPosts, (database, url, raters) =>
    killRaters(database, raters, kills, () => faultsOf(url)),
  );
  const saved = await withRaters(await newDatabase(), manyPosts, (_, url, raters) =>
    backUpWhileRating(raters, {
      url,
      folder,
      backups,
      perSecond: writesSentPerSecond,
      emptyDatabase: newDatabase,
      faultsOf,
    }),
  );
  return [
    {
      name: `${name}: ratings lost of ${killed.acknowledged} acknowledged, ${kills} kills with -9`,
      value: killed.lost,
      target: none,
    },
    { name: `${name}: faults found after the kills`, value: killed.faults, target: none },
    {
      name: `${name}: ratings saved a second beside the backups`,
      value: saved.perSecond,
      target: { atLeast: writesPerSecond },
    },
    {
      name: `${name}: … beside as many as possible without backups`,
      value: saved.perSecond / saved.perSecondAlone,
    },
    {
      name: `${name}: backups whole once restored, of ${backups}`,
      value: saved.whole,
      target: { atLeast: backups },
    },
  ];
}

async function withRaters<T>(
  url: string,
  amounts: Parameters<typeof prepareRaters>[2],
  work: (database: Database, url: string, raters: Raters) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(url);
  try {
    return await work(database, url, await prepareRaters(database, url, amounts));
  } finally {
    await database.close();
  }
}

/** Faults by SQLite's own checks, and counters that a recount disagrees with. */
async function faultsOf(url: string): Promise<string[]> {
  const { soundness, query, close } = await inspect(url);
  try {
    const ofFile = Object.values(soundness).flatMap((check) => check());
    return [...ofFile, ...(await countersThatDisagree(query))];
  } finally {
    await close();
  }
}

async function ofClocks(
  url: string,
  apart: string,
  skew: Parameters<typeof admittedByTwoNodes>[1],
  before: string,
): Promise<Figure> {
  return {
    name: `PostgreSQL: admitted of ${skew.requests} by two nodes ${apart}, limit ${skew.capacity} (before: ${before}, stated)`,
    value: await admittedByTwoNodes(url, skew),
    target: { below: skew.capacity + 1 },
  };
}

/**
 * The log's size after a long read, in MB.
 * A reader keeps SQLite from restarting the log until it has four times its maximum.
 */
async function logAfterLongRead(url: string): Promise<Figure> {
  const [writer, reader] = [openSqlite(url), openSqlite(url)];
  const megabyte = 2 ** 20;
  try {
    reader.sqlite.exec("begin; select count(*) from users");
    const insert = writer.sqlite.prepare(
      "insert into limiter_states (key, state, expires_at) values (?, '[]' || zeroblob(?), 0)",
    );
    for (let number = 0; number < (4 * logMaximumBytes) / megabyte; number += 1)
      await writer.transaction(async () => void insert.run(`filler:${number}`, megabyte));
    reader.sqlite.exec("commit");
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    return {
      name: "SQLite: the log, 3 s after a long read (before: 252 MB, stated)",
      value: (await logSize(writer.sqlite.name)) / megabyte,
      unit: "MB",
      target: { below: logMaximumBytes / megabyte + 1 },
    };
  } finally {
    await reader.close();
    await writer.close();
  }
}

async function ofServer(folder: string): Promise<Figure[]> {
  const { locked, lockedPageMs, ratings, intricate, logIns, blankPages, lab } = await serverFaults(folder);
  const slowest = (load: string, { ms, toIdle }: SlowestAnswers, target = inTime): Figure[] => [
    { name: `slowest /healthz, ${load}`, value: ms, unit: "ms", target },
    { name: "… beside the idle server's slowest", value: toIdle },
  ];
  return [
    ...slowest("another process holds SQLite's lock for 3 s (before: 16 s, stated)", locked),
    {
      name: "a logged-in reader's page meanwhile (before: 5.0 s, measured)",
      value: lockedPageMs,
      unit: "ms",
      target: behindManyRequests,
    },
    {
      name: `ratings saved of ${ratings.sent} sent meanwhile`,
      value: ratings.saved,
      target: { atLeast: ratings.sent },
    },
    ...slowest("a text that is too intricate (before: 72 s, stated)", intricate),
    ...slowest("240 log-ins at once (before: 11 to 25 s, stated)", logIns, behindManyRequests),
    {
      name: "pages without content of 3 requested with x-middleware-prefetch (before: 3, stated)",
      value: blankPages,
      target: none,
    },
    {
      name: "CPU time of /lab, new settings (before: 150 to 240 ms each time, stated)",
      value: lab.firstMs,
      unit: "ms",
    },
    { name: "CPU time of /lab, the same settings again", value: lab.againMs, unit: "ms", target: inTime },
  ];
}
