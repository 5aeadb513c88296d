/**
 * Threads that are started when they are needed first.
 * Work waits, in order, while all are taken.
 */
export interface Thread {
  hasEnded(): boolean;
  end(): Promise<void>;
}

export interface ThreadPool<T extends Thread> {
  /**
   * Runs work on a thread of its own as long as the work takes.
   * Rejects when the pool is closed meanwhile.
   */
  run<Result>(work: (thread: T) => Promise<Result>): Promise<Result>;
  /** Ends the threads; work that runs or waits fails. */
  close(): Promise<void>;
}

/**
 * At most `maximum` threads at once.
 * Another takes the place of one that has ended.
 */
export function createThreadPool<T extends Thread>(maximum: number, start: () => T): ThreadPool<T> {
  const threads = new Set<T>();
  const idle: T[] = [];
  const waiting: PromiseWithResolvers<T>[] = [];
  let isClosed = false;

  function acquire(): Promise<T> {
    if (isClosed) return Promise.reject(closed());
    for (let free = idle.pop(); free; free = idle.pop()) {
      if (!free.hasEnded()) return Promise.resolve(free);
      threads.delete(free);
    }
    const turn = Promise.withResolvers<T>();
    waiting.push(turn);
    if (threads.size < maximum) startNext();
    return turn.promise;
  }

  /**
   * Starts a thread for the work that has waited longest.
   * When no thread can be started and none is left, all waiting work fails.
   */
  function startNext(): void {
    const next = waiting.shift();
    if (!next) return;
    try {
      const thread = start();
      threads.add(thread);
      next.resolve(thread);
    } catch (error) {
      next.reject(error);
      if (threads.size === 0) startNext();
    }
  }

  function release(thread: T): void {
    if (thread.hasEnded()) {
      threads.delete(thread);
      startNext();
      return;
    }
    const next = waiting.shift();
    if (next) next.resolve(thread);
    else idle.push(thread);
  }

  return {
    async run(work) {
      const thread = await acquire();
      try {
        return await work(thread);
      } finally {
        release(thread);
      }
    },
    async close() {
      isClosed = true;
      for (const { reject } of waiting.splice(0)) reject(closed());
      await Promise.all([...threads].map((thread) => thread.end()));
    },
  };
}

function closed(): Error {
  return new Error("The threads are closed");
}
