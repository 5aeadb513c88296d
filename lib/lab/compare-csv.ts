/** Compares limits on pasted ratings, in a thread of its own and bounded time. */
import { join } from "node:path";
import type { Limit, Limits } from "../limits/index.ts";
import { createThreadPool, type ThreadPool } from "../threads/pool.ts";
import { startWorkerThread, type WorkerThread } from "../threads/worker-thread.ts";
import type { CsvAnswer, CsvTask, WrittenLimit } from "./csv-task.ts";
import type { SiteLimits } from "./site-limits.ts";

const program = join(/* turbopackIgnore: true */ process.cwd(), "lib/lab/csv-worker.ts");
const resourceLimits = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 32 };
/** 100,000 rows under all limits take about half of this. */
const timeMaximumMs = 30_000;
/** Comparisons that run or wait. */
const tasksMaximum = 3;

type Thread = WorkerThread<CsvTask, CsvAnswer>;
export type CsvOutcome = CsvAnswer | { kind: "busy" | "too-long" };

export interface CsvComparer {
  compare(task: CsvTask): Promise<CsvOutcome>;
  close(): Promise<void>;
}

export function createCsvComparer({ maximumMs = timeMaximumMs } = {}): CsvComparer {
  const threads: ThreadPool<Thread> = createThreadPool(1, () => startWorkerThread(program, resourceLimits));
  let tasks = 0;
  return {
    async compare(task) {
      if (tasks >= tasksMaximum) return { kind: "busy" };
      tasks += 1;
      try {
        return await threads.run((thread) => answerWithin(thread, task, maximumMs));
      } finally {
        tasks -= 1;
      }
    },
    close: () => threads.close(),
  };
}

async function answerWithin(thread: Thread, task: CsvTask, maximumMs: number): Promise<CsvOutcome> {
  await thread.ready;
  const { promise: over, resolve } = Promise.withResolvers<CsvOutcome>();
  const timer = setTimeout(() => resolve({ kind: "too-long" }), maximumMs);
  const answered = thread.request(task);
  answered.catch(() => {}); // It is ended below.
  try {
    const outcome = await Promise.race([answered, over]);
    if (outcome.kind === "too-long") await thread.end();
    return outcome;
  } catch (error) {
    await thread.end();
    throw error;
  } finally {
    clearTimeout(timer);
  }
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
