/**
 * Consumes one key of a limiter on the Redis store, ten requests at a time.
 * Prints "ready", begins when the list "go" has an entry, and prints how many passed.
 *
 * Arguments: the server's address, a bucket's capacity and leak per second, how many requests to send, and the time that
 * stands still, if it is not the server's.
 */
import { Redis } from "ioredis";
import { createLimiter, leakyBucket } from "../lib/limiter/index.ts";
import { redisClientOptions, redisStore } from "../lib/limiter/redis.ts";

const [url = "", capacity, leakPerSecond, requests, time] = process.argv.slice(2);
const client = new Redis(url, redisClientOptions);
const starter = new Redis(url);
await Promise.all(
  [client, starter].map((connection) => new Promise((resolve) => connection.once("ready", resolve))),
);

const limiter = createLimiter({
  algorithm: leakyBucket({ capacity: Number(capacity), leakPerSecond: Number(leakPerSecond) }),
  // The result is the number that pass, however busy the machine is.
  store: redisStore({ client, timeoutMs: 600_000, ...(time && { clock: () => Number(time) }) }),
});
process.stdout.write("ready\n");
await starter.blpop("go", 0);

let sent = 0;
let passed = 0;
async function sendRequests(): Promise<void> {
  while (sent < Number(requests)) {
    sent += 1;
    if ((await limiter.consume("shared")).allowed) passed += 1;
  }
}
await Promise.all(Array.from({ length: 10 }, sendRequests));
process.stdout.write(`${passed}\n`);
client.disconnect();
starter.disconnect();
