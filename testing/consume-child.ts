/** Asks one key of a limiter on the database store 200 times, the time standing still; prints how many passed. */
import { openDatabase } from "../db/index.ts";
import { databaseStore } from "../db/limiter-store.ts";
import { createLimiter, leakyBucket } from "../lib/limiter/index.ts";

const [url = "", capacity = ""] = process.argv.slice(2);
const database = openDatabase(url);
const limiter = createLimiter({
  algorithm: leakyBucket({ capacity: Number(capacity), leakPerSecond: 1 }),
  store: databaseStore(database, () => Date.UTC(2026, 2, 1)),
});
let passed = 0;
for (let call = 0; call < 200; call += 1) if ((await limiter.consume("shared")).allowed) passed += 1;
process.stdout.write(`${passed}\n`);
database.close();
