/** Opens a database at a given moment, as near to it as can be, and prints how many users it has. */
import { openDatabase } from "../db/index.ts";

const [url = "", moment = ""] = process.argv.slice(2);
while (Date.now() < Number(moment));
const database = openDatabase(url);
process.stdout.write(`${database.sqlite.prepare<[], number>("select count(*) from users").pluck().get()}\n`);
database.close();
