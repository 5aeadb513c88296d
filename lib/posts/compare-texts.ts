/** Compares texts in a thread of its own, and in bounded time. */
import { join } from "node:path";
import { createThreadPool } from "../threads/pool.ts";
import { isOutOfMemory, requestWithin, startWorkerThread } from "../threads/worker-thread.ts";
import type { TextPart, Texts } from "./text-changes.ts";

const program = join(/* turbopackIgnore: true */ process.cwd(), "lib/posts/changes-worker.ts");
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };
/** The longest texts take a quarter of a second, or a few on a busy machine. */
const timeMaximumMs = 10_000;
/** Comparisons that run or wait, of all users and of one. */
const tasksMaximum = 20;
const tasksOfUserMaximum = 2;

/** "too-different" when the texts have too little in common to be compared quickly. */
export type TextComparison = TextPart[] | "too-different" | "busy";

export interface TextComparer {
  compare(userId: number, texts: Texts): Promise<TextComparison>;
  close(): Promise<void>;
}

export function createTextComparer({ maximumMs = timeMaximumMs } = {}): TextComparer {
  const threads = createThreadPool(1, () =>
    startWorkerThread<Texts, TextPart[] | null>(program, resourceLimits),
  );
  /** The users of all tasks. */
  const users: number[] = [];
  return {
    async compare(userId, texts) {
      const ofUser = users.filter((each) => each === userId).length;
      if (users.length >= tasksMaximum || ofUser >= tasksOfUserMaximum) return "busy";
      users.push(userId);
      try {
        const answer = await threads.run((thread) => requestWithin(thread, texts, maximumMs));
        return answer ?? "too-different";
      } catch (error) {
        if (!isOutOfMemory(error)) throw error;
        return "too-different";
      } finally {
        users.splice(users.indexOf(userId), 1);
      }
    },
    close: () => threads.close(),
  };
}

let comparer: TextComparer | undefined;

/** The process's comparer; its thread starts with the first texts. */
export function textComparer(): TextComparer {
  comparer ??= createTextComparer();
  return comparer;
}
