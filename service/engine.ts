/** Decides what the service is asked, under the policies and rules of its configuration. */
import { algorithmFrom } from "../lib/algorithms.ts";
import { createLimiter, type Store } from "../lib/limiter/index.ts";
import type { Configuration } from "./configuration.ts";
import type { Engine } from "./messages.ts";

export interface EngineSettings {
  configuration: Configuration;
  store: Store;
}

export function createEngine({ configuration, store }: EngineSettings): Engine {
  const limiters = new Map(
    Object.entries(configuration.policies).map(([name, parameters]) => [
      name,
      createLimiter({ algorithm: algorithmFrom(parameters), store }),
    ]),
  );
  return {
    async ask({ id, verb, policy = configuration.default, key = "", cost = 1 }) {
      const echo = id === undefined ? {} : { id };
      const limiter = limiters.get(policy);
      if (!limiter) return { ...echo, error: `there is no policy ${JSON.stringify(policy)}` };
      if (verb !== "consume" && verb !== "peek") return { ...echo, error: `${verb} is not there yet` };
      const decision = await limiter[verb](`${policy}:${key}`, cost);
      return { ...echo, ...decision, rule: null, policy };
    },
  };
}
