/** Reads or makes a file's secret at the same moment as another process; prints it. */
import { keptSecret } from "../lib/auth/secret.ts";
import { awaitBarrier } from "./barrier.ts";

const [file = "", barrierFolder = ""] = process.argv.slice(2);
awaitBarrier(barrierFolder, 2);
process.stdout.write(`${keptSecret(file)}\n`);
