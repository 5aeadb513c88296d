/**
 * Opens a database at the same moment as another process.
 * Prints the number of users.
 */
import { openSqlite } from "../db/dialects/sqlite/index.ts";
import { awaitBarrier } from "./barrier.ts";

const [url = "", barrierFolder = ""] = process.argv.slice(2);
awaitBarrier(barrierFolder, 2);
const database = openSqlite(url);
process.stdout.write(`${database.sqlite.prepare<[], number>("select count(*) from users").pluck().get()}\n`);
await database.close();
