/** The limiter's HTTP side with a real engine. */
import { memoryStore, type Store } from "../lib/limiter/index.ts";
import type { Engine } from "../service/answers.ts";
import { createEngine, type DecisionEvent } from "../service/engine.ts";
import { type HttpSettings, listenOnHttp } from "../service/http.ts";
import { idempotent } from "../service/idempotency.ts";
import { createMetrics } from "../service/metrics.ts";
import { configurationOf } from "./service-configuration.ts";

export interface ServedLimits extends HttpSettings {
  /** As the configuration file writes them. The first is the default. */
  policies?: Record<string, object>;
  rules?: object[];
  store?: Store;
  /** Replaces the engine. */
  execute?: Engine["execute"];
}

/** Listens on a free port of the loopback address. */
export async function startHttp({
  policies = { demo: { algorithm: "fixed-window", limit: 5, windowMs: 60_000 } },
  rules = [],
  store = memoryStore(),
  execute,
  ...settings
}: ServedLimits = {}) {
  const configuration = configurationOf({ policies, rules });
  const metrics = createMetrics();
  let allowed = 0;
  const onDecision = (event: DecisionEvent) => {
    if (event.allowed) allowed += 1;
    metrics.decided(event);
  };
  const engine = createEngine({ configuration, store, report: () => {}, onDecision });
  const configured = () => ({ policies, default: configuration.default, rules });
  const listener = await listenOnHttp("127.0.0.1:0", idempotent(execute ? { execute } : engine), {
    metrics,
    configured,
    ...settings,
  });
  const port = Number(new URL(listener.address).port);

  return {
    origin: listener.address,
    port,
    /** The number of allowed requests. */
    allowed: () => allowed,
    close: () => listener.close(),
    /** Sends JSON. */
    post: (path: string, body: unknown, headers: Record<string, string> = {}) =>
      fetch(listener.address + path, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "Content-Type": "application/json", ...headers },
      }),
  };
}

export type HttpService = Awaited<ReturnType<typeof startHttp>>;
