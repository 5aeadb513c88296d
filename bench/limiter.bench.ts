/**
 * The cost of one decision in memory, beside rate-limiter-flexible's.
 * Both have the same keys. `limiter` keeps one key, and has no target, as it does less.
 *
 * Each algorithm is compared in a thread of its own. The compiler fits code to the types it has seen, and a program
 * with one algorithm has seen only that; where four run side by side, each takes a tenth longer.
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Figure } from "./table.ts";

export const title = "One decision in memory, every request admitted, the same keys on all sides";

export type MemoryPart = "leaky-bucket" | "token-bucket" | "fixed-window" | "ema" | "limiter";

const parts: MemoryPart[] = ["leaky-bucket", "token-bucket", "fixed-window", "ema", "limiter"];

export async function run(): Promise<Figure[]> {
  const figures: Figure[][] = [];
  for (const part of parts) {
    const thread = new Worker(new URL("./limiter-thread.ts", import.meta.url), { workerData: part });
    const [found]: Figure[][] = await once(thread, "message");
    if (found) figures.push(found);
    await thread.terminate();
  }
  return figures.flat();
}
