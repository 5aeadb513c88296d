/** One worker thread that renders texts, one at a time, and is ended when a text takes too long. */
import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Rendering } from "./types.ts";

export interface ThreadSettings {
  /** CPU time of one text. */
  cpuMaximumMs: number;
  /** Wall time of one text, which ends it even where a busy machine gives the thread next to no CPU. */
  wallMaximumMs: number;
}

export interface MarkdownThread {
  /** Whether it can render no further text. */
  hasEnded(): boolean;
  /** "overdue": the machine was too busy to tell how long the text takes. Rejects when the thread fails for another reason. */
  render(text: string): Promise<Rendering | { kind: "overdue" }>;
  end(): Promise<void>;
}

const program = join(/* turbopackIgnore: true */ process.cwd(), "lib/markdown/worker.ts");
const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 8, stackSizeMb: 4 };
const lookEveryMs = 50;

export function startThread({ cpuMaximumMs, wallMaximumMs }: ThreadSettings): MarkdownThread {
  // It needs no settings, so it gets none of the process's secrets.
  const worker = new Worker(program, { env: {}, execArgv: [], resourceLimits });
  let hasEnded = false;
  worker.on("error", () => {
    hasEnded = true;
  });
  worker.once("exit", () => {
    hasEnded = true;
  });
  const ready = nextAnswer(worker);
  ready.catch(() => {}); // `render` rejects with it
  worker.unref();

  /** The worker's answer to a text, or else why it is to be ended. */
  async function answerTo(text: string): Promise<Rendering | "too-intricate" | "overdue"> {
    await ready;
    const { promise: over, resolve: end } = Promise.withResolvers<"too-intricate" | "overdue">();
    const startedAt = performance.now();
    let cpuBeforeMs: number | undefined;
    const timer = setInterval(async () => {
      const cpuMs = await cpuTimeOf(worker).catch(() => undefined); // an ended worker has none
      if (cpuMs === undefined) return;
      cpuBeforeMs ??= cpuMs;
      if (cpuMs - cpuBeforeMs > cpuMaximumMs) end("too-intricate");
      else if (performance.now() - startedAt > wallMaximumMs) end("overdue");
    }, lookEveryMs);
    const answered = nextAnswer(worker);
    worker.postMessage(text);
    try {
      return await Promise.race([answered, over]);
    } catch (error) {
      if (isOutOfMemory(error)) return "too-intricate";
      throw error;
    } finally {
      clearInterval(timer);
      answered.catch(() => {}); // it is ended below
    }
  }

  async function end(): Promise<void> {
    hasEnded = true;
    await worker.terminate();
  }

  return {
    hasEnded: () => hasEnded,
    async render(text) {
      worker.ref(); // a process does not end while it waits for a text
      try {
        const outcome = await answerTo(text);
        if (typeof outcome === "object") return outcome;
        await end();
        return { kind: outcome };
      } catch (error) {
        await end();
        throw error;
      } finally {
        worker.unref();
      }
    },
    end,
  };
}

/** What a worker sends next, after "ready" the rendering of a text; rejects when it fails or ends. */
async function nextAnswer(worker: Worker): Promise<Rendering> {
  const abort = new AbortController();
  try {
    const [answer] = await Promise.race([
      once(worker, "message", abort),
      once(worker, "exit", abort).then(() => {
        throw new Error("The Markdown thread has ended");
      }),
    ]);
    return answer;
  } finally {
    abort.abort();
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}

/** The CPU time that a thread has used; where Node.js does not know it (before 24.6), the wall time that it was busy. */
async function cpuTimeOf(worker: Worker): Promise<number> {
  if (typeof worker.cpuUsage !== "function") return worker.performance.eventLoopUtilization().active;
  const { user, system } = await worker.cpuUsage();
  return (user + system) / 1_000;
}
