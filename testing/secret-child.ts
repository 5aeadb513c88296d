/** Reads or makes the secret in a file at a given moment, as near to it as can be, and prints it. */
import { keptSecret } from "../lib/auth/secret.ts";

const [file = "", moment = ""] = process.argv.slice(2);
while (Date.now() < Number(moment));
process.stdout.write(`${keptSecret(file)}\n`);
