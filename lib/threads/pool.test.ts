import { expect, test } from "vitest";
import { createThreadPool } from "./pool.ts";

/** A thread that can be ended from outside. */
function newThread() {
  let hasEnded = false;
  return {
    hasEnded: () => hasEnded,
    async end() {
      hasEnded = true;
    },
  };
}

/** The outcome of work: its result, or the message of its failure. */
const outcomeOf = (work: Promise<string>) => work.catch((error: Error) => error.message);

test("fails all waiting work when no thread can be started in place of the one that ended", async () => {
  const first = newThread();
  let started = 0;
  const pool = createThreadPool(1, () => {
    started += 1;
    if (started > 1) throw new Error("There is no memory");
    return first;
  });
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const running = pool.run(async (thread) => {
    await end;
    await thread.end();
    return "done";
  });
  const waiting = ["a", "b"].map((name) => outcomeOf(pool.run(async () => name)));
  resolve();
  expect(await running).toBe("done");
  expect(await Promise.all(waiting)).toEqual(["There is no memory", "There is no memory"]);
});

test("leaves waiting work to the other threads when one that ended cannot be replaced", async () => {
  const threads = [newThread(), newThread()];
  const pool = createThreadPool(2, () => {
    const thread = threads.shift();
    if (!thread) throw new Error("There is no memory");
    return thread;
  });
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const ending = pool.run((thread) => thread.end());
  const running = pool.run(() => end);
  const waiting = ["a", "b"].map((name) => outcomeOf(pool.run(async () => name)));
  await ending;
  resolve();
  await running;
  expect(await Promise.all(waiting)).toEqual(["There is no memory", "b"]);
});

test("fails work that waits when it is closed, and work that comes later", async () => {
  const pool = createThreadPool(1, newThread);
  const { promise: end, resolve } = Promise.withResolvers<string>();
  const running = pool.run(() => end);
  const waiting = outcomeOf(pool.run(async () => "done"));
  await pool.close();
  expect(await waiting).toBe("The threads are closed");
  resolve("done");
  expect(await running).toBe("done");
  expect(await outcomeOf(pool.run(async () => "done"))).toBe("The threads are closed");
});
