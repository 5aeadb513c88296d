/**
 * Moves the ratings of accounts that were disabled or enabled.
 * Prints a line for each step.
 */
import { writeSync } from "node:fs";
import { openDatabase } from "../db/index.ts";
import { moveSomeRatings } from "../lib/account-changes/index.ts";
import { scoringDefaults } from "../lib/ratings/tally/tally.ts";
import { morning } from "./content.ts";
import { patientTimeouts } from "./postgres-server.ts";

const database = await openDatabase(process.argv[2] ?? "", { timeouts: patientTimeouts });
while (await moveSomeRatings({ database, scoring: scoringDefaults }, morning)) writeSync(1, "moved\n");
await database.close();
