/**
 * A process that executes one task after the other for its parent.
 * It is kept from one task to the next.
 */
import { fork, type Serializable } from "node:child_process";
import { once } from "node:events";

export interface Worker<Task, Result> {
  /**
   * Runs a task and resolves to its result.
   * Rejects when the process has ended. One task at a time.
   */
  run(task: Task): Promise<Result>;
  stop(): void;
}

/** `script` is the path of a program that calls `executeTasks`. */
export function startWorker<Task extends Serializable, Result>(script: string): Worker<Task, Result> {
  const child = fork(script, { execArgv: [] });
  const exit = once(child, "exit").then(() => {
    throw new Error("The process that makes the load has ended");
  });
  exit.catch(() => undefined);
  return {
    async run(task) {
      const answer: Promise<Result[]> = once(child, "message");
      child.send(task);
      const [result] = await Promise.race([answer, exit]);
      if (result === undefined) throw new Error("A message has a content");
      return result;
    },
    stop: () => child.disconnect(),
  };
}

/** For the worker itself: a task that fails ends it. */
export function executeTasks<Task, Result>(execute: (task: Task) => Promise<Result>): void {
  process.on("message", (task: Task) => {
    execute(task).then(
      (result) => process.send?.(result),
      (error: unknown) => {
        throw error;
      },
    );
  });
  process.on("disconnect", () => process.exit());
}
