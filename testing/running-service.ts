/**
 * A limiter service in a process of its own, and its clients;
 * they end with the test.
 */
import { onTestFinished } from "vitest";
import * as zeromq from "zeromq";
import { type LimiterClient, type LimiterClientSettings, limiterClient } from "../lib/limiter/client.ts";
import { startRedis } from "../scripts/cluster/start-redis.ts";
import { type LimiterService, type LimiterServiceOptions, startLimiterService } from "./limiter-service.ts";
import { type Requester, requesterOf } from "./zeromq-requester.ts";

/** Resolves when it answers. Rejects, with its output, when it ends before that. */
export async function runningService(options: LimiterServiceOptions): Promise<LimiterService> {
  const service = await startLimiterService(options);
  onTestFinished(async () => void (await service.stop()));
  return service;
}

/** The library's client, as patient as it can be. */
export function runningClient(settings: Omit<LimiterClientSettings, "zeromq">): LimiterClient {
  const client = limiterClient({ zeromq, attempts: 50, ...settings });
  onTestFinished(() => client.close());
  return client;
}

/** A client that counts answers. */
export function runningRequester(address: string): Requester {
  const requester = requesterOf(address);
  onTestFinished(() => requester.close());
  return requester;
}

/**
 * The `store` of a configuration file for each kind, which is made for the test.
 * SQLite's file is beside the configuration.
 */
export const storesForTest = {
  memory: async () => "memory",
  SQLite: async () => "sqlite:limits.db",
  Redis: async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    return redis.url;
  },
};
