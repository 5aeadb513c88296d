/** Compares limits on pasted ratings, in a thread of its own and bounded time. */
import { join } from "node:path";
import type { Limit, Limits } from "../limits/index.ts";
import { createThreadPool } from "../threads/pool.ts";
import { requestWithin, startWorkerThread } from "../threads/worker-thread.ts";
import type { CsvAnswer, CsvTask, WrittenLimit } from "./csv-task.ts";
import type { SiteLimits } from "./site-limits.ts";

const program = join(/* turbopackIgnore: true */ process.cwd(), "lib/lab/csv-worker.ts");
const resourceLimits = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 32 };
/** 100,000 rows under all limits take about half of this. */
const timeMaximumMs = 30_000;
/** Comparisons that run or wait. */
const tasksMaximum = 3;

export type CsvOutcome = CsvAnswer | { kind: "busy" | "too-long" };

interface CsvComparer {
  compare(task: CsvTask): Promise<CsvOutcome>;
  close(): Promise<void>;
}

export function createCsvComparer({ maximumMs = timeMaximumMs } = {}): CsvComparer {
  const threads = createThreadPool(1, () => startWorkerThread<CsvTask, CsvAnswer>(program, resourceLimits));
  let tasks = 0;
  return {
    async compare(task) {
      if (tasks >= tasksMaximum) return { kind: "busy" };
      tasks += 1;
      try {
        const answer = await threads.run((thread) => requestWithin(thread, task, maximumMs));
        return answer ?? { kind: "too-long" };
      } finally {
        tasks -= 1;
      }
    },
    close: () => threads.close(),
  };
}

let comparer: CsvComparer | undefined;

/** The process's comparer; its thread starts with the first task. */
export function csvComparer(): CsvComparer {
  comparer ??= createCsvComparer();
  return comparer;
}

/** A site's limits on ratings, for a task. */
export function writtenLimits(limits: Pick<Limits, keyof SiteLimits>): CsvTask["limits"] {
  return {
    "rating.post": limits["rating.post"].map(written),
    "rating.user": limits["rating.user"].map(written),
    "rating.change": limits["rating.change"].map(written),
  };
}

function written({ name, counts, mode, parameters }: Limit): WrittenLimit {
  return { name, counts, mode, parameters };
}
