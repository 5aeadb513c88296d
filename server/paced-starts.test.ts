import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createPacedStarts } from "./paced-starts.ts";

/** Seven requests of 3 ms each, by the turn of the event loop in which they start. */
async function startsPerTurn(options: { hasReaders?: () => boolean }) {
  let now = 0;
  let turn = 0;
  const mayStart = createPacedStarts({ ...options, clock: () => now });
  const started: [number, number][] = [];
  const arrive = async (number: number) => {
    await mayStart();
    await null;
    started.push([turn, number]);
    now += 3;
  };
  for (const number of [1, 2, 3, 4, 5, 6, 7]) void arrive(number);
  for (; started.length < 7; turn += 1) await nextTurn();
  const turns = Object.values(Object.groupBy(started, ([turn]) => turn));
  return turns.map((starts) => starts?.map(([, number]) => number));
}

test("starts requests for 10 ms in a turn of the event loop, in order, with the work that follows each start", async () => {
  expect(await startsPerTurn({})).toEqual([[1], [2, 3, 4, 5], [6, 7]]);
});

test("starts requests for 4 ms in a turn while readers are answered", async () => {
  expect(await startsPerTurn({ hasReaders: () => true })).toEqual([[1], [2, 3], [4, 5], [6, 7]]);
});

test("starts many cheap requests in a turn, however long other work makes the turns", async () => {
  let now = 0;
  const mayStart = createPacedStarts({ clock: () => now });
  let started = 0;
  const arrive = async () => {
    await mayStart();
    started += 1;
    now += 0.1;
  };
  for (let request = 0; request < 1_000; request += 1) void arrive();
  let turns = 0;
  for (; started < 1_000; turns += 1) {
    now += 10;
    await nextTurn();
  }
  expect(turns).toBeLessThan(50);
});

test("accepts the connections that wait before further starts, for a bounded number of turns", async () => {
  let now = 0;
  let accepted = 0;
  let waitingConnections = 100;
  const mayStart = createPacedStarts({ acceptedConnections: () => accepted, clock: () => now });
  const acceptedAtStart: number[] = [];
  const arrive = async () => {
    await mayStart();
    acceptedAtStart.push(accepted);
    now += 20;
  };
  const startAll = async (requests: number) => {
    acceptedAtStart.length = 0;
    for (let request = 0; request < requests; request += 1) void arrive();
    while (acceptedAtStart.length < requests) {
      await nextTurn();
      if (waitingConnections > 0) {
        waitingConnections -= 1;
        accepted += 1;
      }
    }
  };
  await startAll(2);
  expect(acceptedAtStart.at(-1)).toBeGreaterThanOrEqual(100);
  // Connections without end keep no request from starting.
  waitingConnections = Number.POSITIVE_INFINITY;
  await startAll(3);
});
