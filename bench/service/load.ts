/** Sends requests to a service from a separate process, kept from round to round. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { startWorker, type Worker } from "../worker.ts";

export type Load = {
  /** `tcp://…` for ZeroMQ, `http://…` for HTTP. */
  address: string;
  requests: number;
  inFlight: number;
  /** How many keys the requests are spread over. */
  keys: number;
  /** The text that each answer must contain. */
  expected: string;
};

export interface Loaded {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** The CPU time of the client, in all. */
  cpuSeconds: number;
}

export interface Echo {
  zmq: string;
  http: string;
  /** The CPU time of its process until now. */
  cpuSeconds(): Promise<number>;
  stop(): void;
}

/** Rejects when an answer was not as expected. */
export function startLoadClient(): Worker<Load, Loaded> {
  return startWorker(join(import.meta.dirname, "load-client.ts"));
}

export async function startEcho(): Promise<Echo> {
  const child = fork(join(import.meta.dirname, "echo.ts"), { execArgv: [] });
  const [addresses]: Pick<Echo, "zmq" | "http">[] = await once(child, "message");
  if (!addresses) throw new Error("A message has a content");
  return {
    ...addresses,
    async cpuSeconds() {
      const answer: Promise<number[]> = once(child, "message");
      child.send("cpu");
      return (await answer)[0] ?? Number.NaN;
    },
    stop: () => child.disconnect(),
  };
}
