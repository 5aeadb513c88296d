/** A worker thread that gets one message at a time and answers each with one. */
import { once } from "node:events";
import { type ResourceLimits, Worker } from "node:worker_threads";
import { errorCode } from "../../db/error-code.ts";

export interface WorkerThread<Message, Answer> {
  worker: Worker;
  /** Whether it can answer no further message. */
  hasEnded(): boolean;
  /**
   * Sends a message once the thread is ready.
   * Rejects when the thread fails or ends before it answers.
   */
  request(message: Message): Promise<Answer>;
  /** Resolves when the thread has started; rejects when it cannot. */
  ready: Promise<unknown>;
  end(): Promise<void>;
}

/**
 * Starts `program`, an absolute path, which posts "ready" first.
 * The thread keeps the process alive only while it starts or answers. It needs no settings, so it gets none of the
 * process's secrets.
 */
export function startWorkerThread<Message, Answer>(
  program: string,
  resourceLimits: ResourceLimits = {},
): WorkerThread<Message, Answer> {
  const worker = new Worker(program, { env: {}, execArgv: [], resourceLimits });
  let hasEnded = false;
  const noteEnd = () => {
    hasEnded = true;
  };
  worker.on("error", noteEnd);
  worker.once("exit", noteEnd);
  const ready = nextMessage<"ready">(worker);
  // Until then it keeps the process alive, for callers that wait for it. `request` rejects when it fails.
  ready.then(
    () => worker.unref(),
    () => {},
  );

  return {
    worker,
    hasEnded: () => hasEnded,
    ready,
    async request(message) {
      await ready;
      worker.ref(); // a process does not end while it waits for an answer
      try {
        const answer = nextMessage<Answer>(worker);
        worker.postMessage(message);
        return await answer;
      } finally {
        worker.unref();
      }
    },
    async end() {
      hasEnded = true;
      await worker.terminate();
    },
  };
}

/**
 * The answer to a message; undefined when it takes longer than `maximumMs`.
 * A thread that takes longer, or fails, is ended.
 */
export async function requestWithin<Message, Answer>(
  thread: WorkerThread<Message, Answer>,
  message: Message,
  maximumMs: number,
): Promise<Answer | undefined> {
  await thread.ready;
  const { promise: over, resolve } = Promise.withResolvers<"too-long">();
  const timer = setTimeout(() => resolve("too-long"), maximumMs);
  const answered = thread.request(message);
  answered.catch(() => {}); // It is ended below.
  try {
    const outcome = await Promise.race([answered.then((answer) => ({ answer })), over]);
    if (outcome !== "too-long") return outcome.answer;
    await thread.end();
    return undefined;
  } catch (error) {
    await thread.end();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** The worker's next message; rejects when it fails or ends. */
async function nextMessage<Message>(worker: Worker): Promise<Message> {
  const abort = new AbortController();
  try {
    const [message] = await Promise.race([
      once(worker, "message", abort),
      once(worker, "exit", abort).then(() => {
        throw new Error("The thread has ended");
      }),
    ]);
    return message;
  } finally {
    abort.abort();
  }
}

/** Whether a thread ended because it reached its memory limit. */
export function isOutOfMemory(error: unknown): boolean {
  return errorCode(error) === "ERR_WORKER_OUT_OF_MEMORY";
}
