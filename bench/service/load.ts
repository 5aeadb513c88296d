/** Asks a service from a process of its own, which is kept from one round to the next. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

export interface Load {
  /** `tcp://…` for ZeroMQ, `http://…` for HTTP. */
  address: string;
  requests: number;
  inFlight: number;
  /** How many keys the requests are spread over. */
  keys: number;
  /** What each answer must contain. */
  expected: string;
}

export interface Loaded {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

export interface LoadClient {
  /** Resolves when all have been answered. Rejects when one was not as expected. */
  run(load: Load): Promise<Loaded>;
  stop(): void;
}

export interface Echo {
  zmq: string;
  http: string;
  stop(): void;
}

export function startLoadClient(): LoadClient {
  const child = fork(join(import.meta.dirname, "load-client.ts"), { execArgv: [] });
  const exit = once(child, "exit").then(() => {
    throw new Error("The process that makes the load has ended");
  });
  exit.catch(() => undefined);
  return {
    async run(load) {
      const answer: Promise<Loaded[]> = once(child, "message");
      child.send(load);
      const [loaded] = await Promise.race([answer, exit]);
      if (!loaded) throw new Error("A message has a content");
      return loaded;
    },
    stop: () => child.disconnect(),
  };
}

export async function startEcho(): Promise<Echo> {
  const child = fork(join(import.meta.dirname, "echo.ts"), { execArgv: [] });
  const [addresses]: Pick<Echo, "zmq" | "http">[] = await once(child, "message");
  if (!addresses) throw new Error("A message has a content");
  return { ...addresses, stop: () => child.disconnect() };
}
