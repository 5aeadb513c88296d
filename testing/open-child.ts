/** Opens a database at a given moment, as near to it as can be, and prints how many users it has. */
import { openSqlite } from "../db/dialects/sqlite/index.ts";

const [url = "", moment = ""] = process.argv.slice(2);
while (Date.now() < Number(moment));
const database = openSqlite(url);
process.stdout.write(`${database.sqlite.prepare<[], number>("select count(*) from users").pluck().get()}\n`);
await database.close();
