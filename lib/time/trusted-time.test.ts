import { beforeEach, expect, test } from "vitest";
import type { Database } from "../../db/index.ts";
import { addPost, addUser, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { openWindow } from "../ratings/floods/flood-window.ts";
import { catchUp } from "../ratings/tally/saved-tally.ts";
import { scoringDefaults } from "../ratings/tally/tally.ts";
import { createTrustedTime, reportingOnce, smallJumpMs, trustedAfterMs } from "./trusted-time.ts";
import { dayMs, minuteMs } from "./units.ts";

let database: Database;
beforeEach(() => {
  database = temporaryDatabase();
});

/** A process with a check every minute; its clock is at `startsAt` at its start. */
function processWith(startsAt: number) {
  const trusted = createTrustedTime(database);
  let [clock, uptime] = [startsAt, 5];
  const warnings: number[] = [];
  const warn = reportingOnce((aheadMs) => warnings.push(aheadMs));
  const check = async () => warn(await trusted.check(clock, uptime));
  return {
    check,
    warnings,
    /** Sets the clock forward or back. */
    set: (byMs: number) => {
      clock += byMs;
    },
    async pass(ms: number) {
      for (const until = uptime + ms; uptime < until; ) {
        clock += minuteMs;
        uptime += minuteMs;
        await check();
      }
    },
    /** How far the trusted time is behind the clock. */
    behindMs: () => clock - trusted.upTo(clock),
  };
}

test("trusts no time before the first check, and a steady clock from then on", async () => {
  const process = processWith(morning);
  expect(process.behindMs()).toBe(morning);
  await process.check();
  expect(process.behindMs()).toBe(0);
  await process.pass(3 * trustedAfterMs);
  expect(process.behindMs()).toBe(0);
});

test.each([
  ["15 days", 15 * dayMs],
  ["a year", 365 * dayMs],
])(
  "goes no further than an hour when the clock jumps ahead by %s, and goes on when that is set right",
  async (_, jumpMs) => {
    const process = processWith(morning);
    await process.check();
    process.set(jumpMs);
    expect(process.behindMs()).toBe(jumpMs - smallJumpMs);
    await process.pass(trustedAfterMs - 5 * minuteMs);
    expect(process.behindMs()).toBe(jumpMs + trustedAfterMs - 5 * minuteMs - smallJumpMs);
    process.set(-jumpMs);
    await process.check();
    expect(process.behindMs()).toBe(0);
    // A later jump waits for as long again.
    process.set(jumpMs);
    await process.pass(10 * minuteMs);
    expect(process.behindMs()).toBeGreaterThan(jumpMs - smallJumpMs);
  },
);

test("trusts the clock an hour after a start when the blog was off for a month", async () => {
  await processWith(morning).check();
  const process = processWith(morning + 30 * dayMs);
  await process.check();
  expect(process.behindMs()).toBe(30 * dayMs - smallJumpMs);
  await process.pass(trustedAfterMs);
  expect(process.behindMs()).toBe(0);
});

test("trusts the clock at once when the blog was off for less than an hour", async () => {
  await processWith(morning).check();
  const process = processWith(morning + smallJumpMs);
  await process.check();
  expect(process.behindMs()).toBe(0);
});

test("waits an hour from the last of several jumps", async () => {
  const process = processWith(morning);
  await process.check();
  process.set(dayMs);
  await process.pass(trustedAfterMs - 5 * minuteMs);
  process.set(365 * dayMs);
  await process.pass(trustedAfterMs - 5 * minuteMs);
  expect(process.behindMs()).toBeGreaterThan(365 * dayMs);
  await process.pass(10 * minuteMs);
  expect(process.behindMs()).toBe(0);
});

test("bounds a jump again an hour after a wrong clock, once trusted, was set right", async () => {
  const process = processWith(morning);
  await process.check();
  process.set(365 * dayMs);
  await process.pass(trustedAfterMs + minuteMs);
  process.set(-365 * dayMs);
  await process.pass(trustedAfterMs + minuteMs);
  expect(process.behindMs()).toBe(0);
  process.set(365 * dayMs);
  await process.check();
  expect(process.behindMs()).toBe(365 * dayMs - smallJumpMs);
});

test("adds up the hour over several runs, and trusts the time at which they began", async () => {
  await processWith(morning).check();
  for (let run = 0; run < 20; run += 1) {
    const process = processWith(morning + (30 + run) * dayMs);
    await process.check();
    await process.pass(20 * minuteMs);
    // Three runs make an hour, and the clock at the beginning of the first is trusted.
    if (run === 2) expect(process.behindMs()).toBe(2 * dayMs + 20 * minuteMs - trustedAfterMs - smallJumpMs);
    if (run > 2) expect(process.behindMs()).toBeLessThan(5 * dayMs);
  }
});

test("does not add a run whose clock is behind that of the run before", async () => {
  await processWith(morning).check();
  const wrong = processWith(morning + 365 * dayMs);
  await wrong.check();
  await wrong.pass(trustedAfterMs - 5 * minuteMs);
  const right = processWith(morning + dayMs);
  await right.check();
  await right.pass(10 * minuteMs);
  expect(right.behindMs()).toBeGreaterThan(dayMs - smallJumpMs);
});

test("trusts no clock a year ahead when a run with a right clock began the hour", async () => {
  await processWith(morning).check();
  const right = processWith(morning + dayMs);
  await right.check();
  await right.pass(trustedAfterMs - 5 * minuteMs);
  const wrong = processWith(morning + 365 * dayMs);
  await wrong.check();
  await wrong.pass(30 * minuteMs);
  expect(wrong.behindMs()).toBeGreaterThan(363 * dayMs);
});

test("does not follow a clock that gains 59 minutes from each check to the next", async () => {
  const process = processWith(morning);
  await process.check();
  for (let check = 1; check <= 100; check += 1) {
    process.set(59 * minuteMs);
    await process.pass(minuteMs);
    const gainedMs = check * 59 * minuteMs;
    expect(process.behindMs()).toBeGreaterThanOrEqual(gainedMs - 2 * smallJumpMs - check * minuteMs);
  }
  process.set(-100 * 59 * minuteMs);
  await process.check();
  expect(process.behindMs()).toBe(0);
});

test("counts an hour as one when two processes run at the same time", async () => {
  await processWith(morning).check();
  const both = [processWith(morning + dayMs), processWith(morning + dayMs)];
  for (const process of both) await process.check();
  for (let minute = 0; minute < 40; minute += 1) for (const process of both) await process.pass(minuteMs);
  for (const process of both) expect(process.behindMs()).toBeGreaterThan(dayMs - smallJumpMs);
  for (let minute = 0; minute < 21; minute += 1) for (const process of both) await process.pass(minuteMs);
  for (const process of both) expect(process.behindMs()).toBe(0);
});

test("warns once of a clock that another process contradicts, and again after it was right", async () => {
  const [right, wrong] = [processWith(morning), processWith(morning + 2 * trustedAfterMs)];
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += minuteMs)
      for (const process of [right, wrong]) await process.pass(minuteMs);
  };
  await right.check();
  await pass(5 * trustedAfterMs);
  expect(right.warnings).toEqual([]);
  expect(wrong.warnings).toEqual([2 * trustedAfterMs]);
  expect(right.behindMs()).toBe(0);
  wrong.set(-2 * trustedAfterMs);
  await pass(minuteMs);
  wrong.set(dayMs);
  await pass(2 * trustedAfterMs);
  expect(wrong.warnings).toHaveLength(2);
});

test.each([15 * dayMs, 365 * dayMs])(
  "a page view with the clock %d ms ahead counts no held flood",
  async (ms) => {
    const author = await addUser(database, "author");
    const { id } = await addPost(database, author);
    const window = openWindow(1, morning, minuteMs, []);
    await database.transaction(async () => {
      await database.floodWindows.save(id, window);
      await database.tallies.save(id, {
        ...(await database.tallies.find(id)),
        windowCount: 1,
        dueAt: morning,
      });
    });
    const trusted = createTrustedTime(database);
    await trusted.check(morning, 5);
    const view = (now: number) =>
      catchUp(database, trusted.upTo(now), scoringDefaults, (error) => {
        throw error;
      });
    const saved = async () => (await database.floodWindows.all(id))[0]?.status;
    await view(morning + ms);
    expect(await saved()).toBe("held");
    expect((await database.tallies.find(id)).settled.at).toBeLessThanOrEqual(morning + smallJumpMs);
    // It is the time after all.
    await trusted.check(morning + ms, 5);
    await trusted.check(morning + ms + trustedAfterMs, 5 + trustedAfterMs);
    await view(morning + ms);
    expect(await saved()).toBe("counted");
  },
);
