/** Opens a PostgreSQL database at a given moment, as near to it as can be, and prints "ready". */
import { openPostgres } from "../db/dialects/postgres/index.ts";

const [url = "", moment = ""] = process.argv.slice(2);
while (Date.now() < Number(moment));
const database = await openPostgres(url);
await database.users.isFirst();
process.stdout.write("ready\n");
await database.close();
