import { expect, test } from "vitest";
import { createConnectionQueue, type QueuedWrite } from "./connection-queue.ts";

test("writes whose common commit ends in an error of its own are rejected, and later ones executed", async () => {
  const executed: string[] = [];
  const rejected: string[] = [];
  const queue = createConnectionQueue<QueuedWrite & { name: string }>(async (first, next) => {
    for (let write: typeof first | undefined = first; write; write = next()) {
      executed.push(write.name);
      if (write.name === "birch") throw new Error("The rollback failed");
    }
  });
  const add = (name: string) =>
    queue.add({ name, waitsForLock: true, reject: () => void rejected.push(name) });
  add("elder"); // begins at once
  add("alder");
  add("birch");
  add("cedar");
  await queue.untilIdle();
  add("elm");
  await queue.untilIdle();
  expect(executed).toEqual(["elder", "alder", "birch", "cedar", "elm"]);
  expect(rejected).toEqual(["alder", "birch"]);
});

test("pauses for a tenth of the time that many writes take, so that other processes can lock the file", async () => {
  let [now, busyMs, pausedMs] = [0, 0, 0];
  const clock = {
    now: () => now,
    async sleep(ms: number) {
      now += ms;
      pausedMs += ms;
    },
  };
  const queue = createConnectionQueue<QueuedWrite>(async () => {
    now += 5;
    busyMs += 5;
  }, clock);
  const add = () => queue.add({ waitsForLock: true, reject: expect.fail });
  for (let number = 0; number < 50; number += 1) add();
  await queue.untilIdle();
  for (let number = 0; number < 50; number += 1) {
    add();
    await queue.untilIdle();
  }
  // The first 100 ms are without a pause.
  expect([busyMs, pausedMs]).toEqual([500, 40]);
});
