/**
 * A worker thread that renders one text at a time.
 * It is terminated when a text takes too long.
 */
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import type { Thread } from "../threads/pool.ts";
import { isOutOfMemory, startWorkerThread } from "../threads/worker-thread.ts";
import type { Rendering } from "./types.ts";

interface ThreadSettings {
  /** Maximum CPU time of one text. */
  cpuMaximumMs: number;
  /**
   * Maximum wall time of one text.
   * It applies when a busy machine gives the thread almost no CPU time.
   */
  wallMaximumMs: number;
}

interface MarkdownThread extends Thread {
  /**
   * Renders a text.
   * "timed-out": on a busy machine the wall time passed before the CPU time. Rejects when the thread fails for another
   * reason.
   */
  render(text: string): Promise<Rendering | { kind: "timed-out" }>;
}

const program = join(/* turbopackIgnore: true */ process.cwd(), "lib/markdown/worker.ts");
const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 8, stackSizeMb: 4 };
const checkIntervalMs = 50;

export function startThread({ cpuMaximumMs, wallMaximumMs }: ThreadSettings): MarkdownThread {
  const thread = startWorkerThread<string, Rendering>(program, resourceLimits);

  /** The thread's answer to a text, or else why it is to be ended. */
  async function answerTo(text: string): Promise<Rendering | "too-intricate" | "timed-out"> {
    await thread.ready;
    const { promise: over, resolve: end } = Promise.withResolvers<"too-intricate" | "timed-out">();
    const startedAt = performance.now();
    let cpuBeforeMs: number | undefined;
    const timer = setInterval(async () => {
      const cpuMs = await cpuTimeOf(thread.worker).catch(() => undefined); // an ended worker has none
      if (cpuMs === undefined) return;
      cpuBeforeMs ??= cpuMs;
      if (cpuMs - cpuBeforeMs > cpuMaximumMs) end("too-intricate");
      else if (performance.now() - startedAt > wallMaximumMs) end("timed-out");
    }, checkIntervalMs);
    const answered = thread.request(text);
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

  return {
    hasEnded: thread.hasEnded,
    async render(text) {
      try {
        const outcome = await answerTo(text);
        if (typeof outcome === "object") return outcome;
        await thread.end();
        return { kind: outcome };
      } catch (error) {
        await thread.end();
        throw error;
      }
    },
    end: thread.end,
  };
}

/**
 * The CPU time that a worker has used, in milliseconds.
 * Before Node.js 24.6, the wall time during which it was busy.
 */
async function cpuTimeOf(worker: Worker): Promise<number> {
  if (typeof worker.cpuUsage !== "function") return worker.performance.eventLoopUtilization().active;
  const { user, system } = await worker.cpuUsage();
  return (user + system) / 1_000;
}
