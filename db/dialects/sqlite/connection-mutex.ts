/** A queue for the one connection: each task has it until its promise settles. */
export function createConnectionMutex() {
  /** Settles when every task so far is done; undefined while the connection is free. */
  let tail: Promise<unknown> | undefined;
  return {
    isLocked: () => tail !== undefined,
    /** Runs a task at once when the connection is free, or after those before it. */
    enqueue<T>(task: () => Promise<T>): Promise<T> {
      const result = tail ? tail.then(task) : task();
      const done = result
        .catch(() => undefined)
        .then(() => {
          if (tail === done) tail = undefined;
        });
      tail = done;
      return result;
    },
  };
}
