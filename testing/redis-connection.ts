/** Connections of tests to their Redis servers, closed when the test is done. */
import { Redis } from "ioredis";
import { onTestFinished } from "vitest";
import { redisClientOptions } from "../lib/limiter/redis.ts";

/** A client as the app has one, ready to be used. */
export async function connectedRedis(url: string): Promise<Redis> {
  const client = new Redis(url, redisClientOptions);
  onTestFinished(() => client.disconnect());
  // Tests that stop their server see the errors through the store.
  client.on("error", () => undefined);
  await new Promise((resolve) => client.once("ready", resolve));
  return client;
}
