/** Reads or makes a file's secret at the same moment as another process; prints it. */
import { keptSecret } from "../lib/auth/secret.ts";
import { meet } from "./meet.ts";

const [file = "", meetingPlace = ""] = process.argv.slice(2);
meet(meetingPlace, 2);
process.stdout.write(`${keptSecret(file)}\n`);
