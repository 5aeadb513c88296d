/**
 * The speed of one decision, beside rate-limiter-flexible.
 *
 * All sides have the same keys, and every request is allowed. Both sides await each decision. In memory each algorithm has its row; SQLite and Redis have the leaky bucket.
 */
import { algorithmNames } from "../lib/limiter/index.ts";
import { redisFigures } from "./limiter/redis.ts";
import { sqliteFigures } from "./limiter/sqlite.ts";
import type { Figure } from "./table.ts";
import { startWorker } from "./worker.ts";

export const title = "One decision of lib/limiter / of rate-limiter-flexible (speed)";

const groups = [
  ...algorithmNames.map((name) => ({ name: `memory, ${name}`, figures: () => memoryFigures(name) })),
  { name: "SQLite", figures: sqliteFigures },
  { name: "Redis", figures: redisFigures },
];

/** Only the groups whose names contain the text. */
export async function run(containing: string): Promise<Figure[]> {
  const all: Figure[] = [];
  for (const { name, figures } of groups) if (name.includes(containing)) all.push(...(await figures()));
  return all;
}

async function memoryFigures(algorithm: string): Promise<Figure[]> {
  const worker = startWorker<string, Figure[]>(new URL("limiter/memory.ts", import.meta.url).pathname);
  try {
    return await worker.run(algorithm);
  } finally {
    worker.stop();
  }
}
