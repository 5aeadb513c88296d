/** Opens a PostgreSQL database at the same moment as others, and prints "ready". */
import { openPostgres } from "../db/dialects/postgres/index.ts";
import { awaitBarrier } from "./barrier.ts";
import { patientTimeouts } from "./postgres-server.ts";

const [url = "", barrierFolder = "", processes] = process.argv.slice(2);
awaitBarrier(barrierFolder, Number(processes));
const database = await openPostgres(url, { timeouts: patientTimeouts });
await database.users.isFirst();
process.stdout.write("ready\n");
await database.close();
