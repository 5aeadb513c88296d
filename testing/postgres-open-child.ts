/** Opens a PostgreSQL database at the same moment as others, and prints "ready". */
import { openPostgres } from "../db/dialects/postgres/index.ts";
import { meet } from "./meet.ts";
import { patientTimeouts } from "./postgres-server.ts";

const [url = "", meetingPlace = "", processes] = process.argv.slice(2);
meet(meetingPlace, Number(processes));
const database = await openPostgres(url, { timeouts: patientTimeouts });
await database.users.isFirst();
process.stdout.write("ready\n");
await database.close();
