/**
 * Removes the rest of deleted posts and accounts, a row at a time.
 * Prints a line for each step.
 */
import { writeSync } from "node:fs";
import { openDatabase } from "../db/index.ts";
import { scoringDefaults } from "../lib/ratings/tally/tally.ts";
import { removeSome } from "../lib/removals/index.ts";
import { morning } from "./content.ts";
import { patientTimeouts } from "./postgres-server.ts";

const database = await openDatabase(process.argv[2] ?? "", { timeouts: patientTimeouts });
while (await removeSome({ database, scoring: scoringDefaults }, morning, { batch: 1 }))
  writeSync(1, "removed\n");
await database.close();
