/** Begins to replay a post's ratings, prints a line, and goes no further. */
import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../db/index.ts";
import { replayRequested } from "../lib/ratings/tally/background-replay.ts";
import { scoringDefaults } from "../lib/ratings/tally/tally.ts";
import { patientTimeouts } from "./postgres-server.ts";

const aDayMs = 86_400_000;

const database = await openDatabase(process.argv[2] ?? "", { timeouts: patientTimeouts });
database.ratings.inOrder = async () => {
  writeSync(1, "begun\n");
  await sleep(aDayMs);
  return [];
};
const fail = (error: unknown) => {
  throw error;
};
await replayRequested(database, Date.now, scoringDefaults, fail);
await database.close();
