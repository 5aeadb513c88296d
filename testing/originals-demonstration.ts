/**
 * The demonstration of the ZeroMQ service that this one grew from.
 * 5 requests per 0.8 s. The clock is set by hand: each decision is made `everyMs` after the one before, however late
 * the client's requests arrive.
 */
import { onTestFinished } from "vitest";
import { memoryStore } from "../lib/limiter/index.ts";
import { createEngine } from "../service/engine.ts";
import { idempotent } from "../service/idempotency.ts";
import { listenOnZeromq } from "../service/zeromq.ts";
import { configurationOf } from "./service-configuration.ts";

export const policies = { demo: { algorithm: "fixed-window", limit: 5, windowMs: 800 } };

/**
 * The answers to a single client that sends a request every 0.1 s.
 * A window of 8 requests has 5 "go", then 3 "sorry".
 */
export function regularPattern(calls: number): string[] {
  return Array.from({ length: calls }, (_, call) => (call % 8 < 5 ? "go" : "sorry"));
}

/** Listens until the end of the test; returns the address. */
export async function startDemonstration({
  address = "tcp://127.0.0.1:*",
  everyMs = 100,
  token,
}: {
  address?: string;
  everyMs?: number;
  token?: string;
} = {}): Promise<string> {
  let now = Date.UTC(2026, 5, 1);
  const clock = () => {
    now += everyMs;
    return now;
  };
  return serve({ address, token, clock, policies });
}

/** Serves policies with the states in memory, by a clock that the test sets. */
export async function serve({
  address = "tcp://127.0.0.1:*",
  token,
  clock,
  policies,
}: {
  address?: string;
  token?: string | undefined;
  clock: () => number;
  policies: Record<string, unknown>;
}): Promise<string> {
  const engine = createEngine({
    configuration: configurationOf({ policies }),
    store: memoryStore({ clock }),
  });
  const listener = await listenOnZeromq(address, idempotent(engine), { token });
  onTestFinished(() => listener.close());
  return listener.address;
}
