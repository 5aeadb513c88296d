/**
 * Decides on a post's first flood window at the same moment as another process.
 * Prints the outcome.
 */
import { openDatabase } from "../db/index.ts";
import { decideWindow } from "../lib/ratings/decisions/flood-window-decisions.ts";
import { scoringDefaults } from "../lib/ratings/tally/tally.ts";
import { awaitBarrier } from "./barrier.ts";
import { patientTimeouts } from "./postgres-server.ts";

const [url = "", slug = "", deciderId, status, after, barrierFolder = "", now] = process.argv.slice(2);
const database = await openDatabase(url, { timeouts: patientTimeouts });
// The rights that count are those in the database.
const user = { id: Number(deciderId), username: "decider", isAdministrator: false, isModerator: false };
const input = { status, why: "A test decides.", after };
awaitBarrier(barrierFolder, 2);
process.stdout.write(
  `${(await decideWindow({ database, scoring: scoringDefaults }, { slug, number: 1, user, input, now: Number(now) })).kind}\n`,
);
await database.close();
