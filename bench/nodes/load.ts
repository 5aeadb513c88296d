/**
 * Loads on an address from a process of its own.
 * The process is kept from one round to the next.
 */
import { resolve } from "node:path";
import { startWorker } from "../worker.ts";

export type LoadRequest = {
  method: "GET" | "POST" | "PUT";
  path: string;
  body?: string;
};

export type LoadUser = {
  cookie?: string;
  requests: readonly LoadRequest[];
};

export type Load = {
  origin: string;
  people: readonly LoadUser[];
  /** For this duration again and again; else this number of times, or once. */
  seconds?: number;
  times?: number;
};

export interface Loaded {
  answered: number;
  seconds: number;
  /**
   * How many answers there were of each status.
   * A missing answer is counted under its error's code.
   */
  answers: Record<string, number>;
  latencyMs: { median: number; p99: number; highest: number };
  /** The CPU time of the load itself. */
  processorSeconds: number;
}

export interface LoadClient {
  /**
   * Resolves when all have been answered.
   * Rejects when one was not, or not with success.
   */
  run(load: Load): Promise<Loaded>;
  /** As `run`, but the caller checks the answers. */
  runAnyway(load: Load): Promise<Loaded>;
  stop(): void;
}

export function startLoadClient(): LoadClient {
  const worker = startWorker<Load, Loaded>(resolve("bench/nodes/load-client.ts"));
  const client: LoadClient = {
    async run(load) {
      const loaded = await client.runAnyway(load);
      if (failures(loaded) > 0 || loaded.answered === 0)
        throw new Error(`Not all were answered with success: ${JSON.stringify(loaded.answers)}`);
      return loaded;
    },
    runAnyway: worker.run,
    stop: worker.stop,
  };
  return client;
}

/** How many were not answered, or not with success. */
export function failures({ answers }: Loaded): number {
  const bad = Object.entries(answers).filter(([status]) => !/^20[014]$/.test(status));
  return bad.reduce((sum, [, count]) => sum + count, 0);
}

export function perSecond({ answered, seconds }: Loaded): number {
  return answered / seconds;
}

/** Visitors who request one page again and again. */
export function visitorsOf(path: string, count: number): LoadUser[] {
  return Array.from({ length: count }, () => ({ requests: [{ method: "GET", path }] }));
}
