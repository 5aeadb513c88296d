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
import { openDatabase } from "../db/index.ts";
import { inspect } from "../db/inspect.ts";
import { countersThatDisagree } from "../db/recount.ts";
import { buildApp } from "../scripts/build.mjs";
import { startPostgres } from "../testing/postgres-server.ts";
import { inFolder } from "./databases.ts";
import { backUpWhileRating } from "./faults/backups.ts";
import { admittedByTwoNodes } from "./faults/clocks.ts";
import { killRaters } from "./faults/kills.ts";
import { prepareRaters } from "./faults/raters.ts";
import { slowestAnswers } from "./faults/server.ts";
import type { Figure } from "./table.ts";

export const title = "Faults: what is lost, and how long the server's slowest answer takes";

const kills = 50;
const backups = 20;
const writesPerSecond = 200;
/** Above the target, so that a short delay does not bring the rate below it. */
const writesSentPerSecond = 220;
const half = { aheadMs: 500, capacity: 30, requests: 600 };
const minute = { aheadMs: 60_000, capacity: 10, requests: 1_000 };
const none = { below: 1 };
/** Milliseconds. */
const inTime = { below: 200 };
/** The server handles each log-in, also a refused one, before `/healthz`. */
const behindManyRequests = { below: 1_000 };

export async function run(): Promise<Figure[]> {
  await buildApp(); // what cannot be built is not worth ten minutes
  return inFolder(async (folder) => {
    let files = 0;
    const newFile = async () => {
      files += 1;
      return `file:${join(folder, `${files}.db`)}`;
    };
    const postgres = await startPostgres();
    try {
      return [
        ...(await ofDatabase("SQLite", folder, newFile)),
        ...(await ofDatabase("PostgreSQL", folder, () => postgres.newMigratedDatabase())),
        await ofClocks(await postgres.newMigratedDatabase(), "0.5 s apart", half, "600"),
        await ofClocks(await postgres.newMigratedDatabase(), "60 s apart", minute, "1,000"),
        await logAfterLongRead(await newFile()),
        ...(await ofServer(folder)),
      ];
    } finally {
      await postgres.stop();
    }
  });
}

async function ofDatabase(
  name: string,
  folder: string,
  newDatabase: () => Promise<string>,
): Promise<Figure[]> {
  const url = await newDatabase();
  const database = await openDatabase(url);
  try {
    const raters = await prepareRaters(database, url);
    const killed = await killRaters(database, raters, kills, () => faultsOf(url));
    const saved = await backUpWhileRating(raters, {
      url,
      folder,
      backups,
      perSecond: writesSentPerSecond,
      emptyDatabase: newDatabase,
      faultsOf,
    });
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
        name: `${name}: backups whole once restored, of ${backups}`,
        value: saved.whole,
        target: { atLeast: backups },
      },
    ];
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
  const { idle, locked, intricate, logIns, isSaved } = await slowestAnswers(folder);
  const slowest = (name: string, value: number, target = inTime): Figure => ({
    name: `slowest /healthz, ${name}`,
    value,
    unit: "ms",
    target,
  });
  return [
    slowest("nothing else to do", idle),
    slowest("another process holds SQLite's lock for 3 s (before: 16 s, stated)", locked),
    {
      name: "ratings saved of 1 that came meanwhile",
      value: Number(isSaved),
      target: { atLeast: 1 },
    },
    slowest("a text that is too intricate (before: 72 s, stated)", intricate),
    slowest("240 log-ins at once (before: 11 to 25 s, stated)", logIns, behindManyRequests),
  ];
}
