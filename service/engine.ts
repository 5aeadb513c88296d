/** Decides what the service is asked, under the policies and rules of its configuration. */
import { createLimiter, type Store } from "../lib/limiter/index.ts";
import type { Configuration } from "./configuration/index.ts";
import type { Engine } from "./messages.ts";

export interface EngineSettings {
  configuration: Configuration;
  store: Store;
}

export function createEngine({ configuration, store }: EngineSettings): Engine & {
  use(configuration: Configuration): void;
} {
  let used = configuration;
  const limitersOf = ({ policies }: Configuration) =>
    new Map([...policies].map(([name, { algorithm }]) => [name, createLimiter({ algorithm, store })]));
  let limiters = limitersOf(configuration);
  return {
    use(configuration) {
      used = configuration;
      limiters = limitersOf(configuration);
    },
    async ask({ id, verb, policy = used.default, key = "", cost = 1, maxWaitMs = 0 }, signal) {
      const echo = id === undefined ? {} : { id };
      const limiter = limiters.get(policy);
      if (!limiter) return { ...echo, error: `there is no policy ${JSON.stringify(policy)}` };
      const settings = { cost, maxWaitMs, ...(signal && { signal }) };
      const decision =
        verb === "wait"
          ? await limiter
              .wait(`${policy}:${key}`, settings)
              .catch(() => limiter.peek(`${policy}:${key}`, cost))
          : verb === "peek"
            ? await limiter.peek(`${policy}:${key}`, cost)
            : await limiter.consume(`${policy}:${key}`, cost);
      return { ...echo, ...decision, rule: null, policy };
    },
  };
}
