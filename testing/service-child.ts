/**
 * A client of a limiter service: asks the policy "shared" for one key, fifty requests at a time, once all clients are there.
 * Prints as JSON how many requests it made, how many passed, how many of these it gave back, and how often the service's
 * store did not answer in time.
 *
 * Arguments: the service's address, how many requests to make, and after how many grants to give one back (0: never).
 */
import { setTimeout as sleep } from "node:timers/promises";
import * as zeromq from "zeromq";
import { limiterClient } from "../lib/limiter/client.ts";

const [address = "", requests = "", refundEach = ""] = process.argv.slice(2);
const client = limiterClient({ zeromq, address, timeoutMs: 2_000, attempts: 25 });
const told = { asked: 0, passed: 0, refunded: 0, unavailable: 0 };

// The clients meet at a limit of theirs: each takes one, and then there is none left.
const arrivals = client.limiter("arrivals");
while ("unavailable" in (await arrivals.consume("")).reason);
for (;;) {
  const { allowed, reason } = await arrivals.peek("");
  if (!allowed && !("unavailable" in reason)) break;
  await sleep(20);
}

const shared = client.limiter("shared");
async function ask(): Promise<void> {
  while (told.asked < Number(requests)) {
    told.asked += 1;
    const { allowed, reason } = await shared.consume("key");
    if ("unavailable" in reason) told.unavailable += 1;
    if (!allowed) continue;
    told.passed += 1;
    if (told.passed % Number(refundEach) === 0) await giveBack();
  }
}

async function giveBack(): Promise<void> {
  try {
    if (await shared.refund("key")) told.refunded += 1;
  } catch {
    told.unavailable += 1;
  }
}

await Promise.all(Array.from({ length: 50 }, ask));
process.stdout.write(`${JSON.stringify(told)}\n`);
client.close();
