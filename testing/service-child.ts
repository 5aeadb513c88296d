/**
 * A client of a limiter service: asks the policy "shared" for one key, fifty requests at a time, once all clients are there. Prints how many it asked, how
 * many passed and how many of these it gave back, as JSON.
 *
 * Arguments: the service's address, how many requests to make, and after how many grants to give one back (0: never).
 */
import * as zeromq from "zeromq";
import { limiterClient } from "../lib/limiter/client.ts";

const [address = "", requests = "", refundEach = ""] = process.argv.slice(2);
const client = limiterClient({ zeromq, address, timeoutMs: 2_000, attempts: 25 });
const shared = client.limiter("shared");

// The clients meet at a limit of theirs: each takes one, and the last one the last.
const arrivals = client.limiter("arrivals");
await arrivals.consume("");
while ((await arrivals.peek("")).allowed);

const told = { asked: 0, passed: 0, refunded: 0 };
async function ask(): Promise<void> {
  while (told.asked < Number(requests)) {
    told.asked += 1;
    if (!(await shared.consume("key")).allowed) continue;
    told.passed += 1;
    if (told.passed % Number(refundEach) === 0 && (await shared.refund("key"))) told.refunded += 1;
  }
}
await Promise.all(Array.from({ length: 50 }, ask));
process.stdout.write(`${JSON.stringify(told)}\n`);
client.close();
