/**
 * A client of a limiter service.
 * Consumes one key of the policy "shared", fifty requests at a time, once all clients are connected. Prints as JSON how
 * many requests it made, how many passed, how many of these it refunded, and how often the service or its store did
 * not answer in time.
 *
 * Arguments: the service's address, how many requests to make, and after how many grants to refund one (0: never).
 */
import { setTimeout as sleep } from "node:timers/promises";
import * as zeromq from "zeromq";
import { limiterClient } from "../lib/limiter/client.ts";

const [address = "", requests = "", refundEach = ""] = process.argv.slice(2);
const client = limiterClient({ zeromq, address, timeoutMs: 2_000, attempts: 25 });
const counts = { sent: 0, passed: 0, refunded: 0, unavailable: 0 };

// A limit serves as a barrier: each client consumes one, until none is left.
const arrivals = client.limiter("arrivals");
while ("unavailable" in (await arrivals.consume("")).reason);
for (;;) {
  const { allowed, reason } = await arrivals.peek("");
  if (!allowed && !("unavailable" in reason)) break;
  await sleep(20);
}

const shared = client.limiter("shared");
async function sendRequests(): Promise<void> {
  while (counts.sent < Number(requests)) {
    counts.sent += 1;
    if (!(await isAllowed())) continue;
    counts.passed += 1;
    if (counts.passed % Number(refundEach) === 0) await refundOne();
  }
}

/**
 * Whether a request was allowed.
 * One without an answer may have been counted, like one that the store did not answer in time.
 */
async function isAllowed(): Promise<boolean> {
  try {
    const { allowed, reason } = await shared.consume("key");
    if ("unavailable" in reason) counts.unavailable += 1;
    return allowed;
  } catch {
    counts.unavailable += 1;
    return false;
  }
}

async function refundOne(): Promise<void> {
  try {
    if (await shared.refund("key")) counts.refunded += 1;
  } catch {
    counts.unavailable += 1;
  }
}

await Promise.all(Array.from({ length: 50 }, sendRequests));
process.stdout.write(`${JSON.stringify(counts)}\n`);
client.close();
