import { expect, test } from "vitest";
import type { Counts } from "@/lib/ratings/score/score";
import { type Flag, placeFlags, textAt } from "./labels";
import { dayMs, timelineOf } from "./spans";
import { ticksOf } from "./ticks";

const dayOf = (date: string) => Date.parse(date) / dayMs;
const some: Counts = [1, 0, 0, 0, 0, 2];
const timeline = (first: string, last: string) =>
  timelineOf([{ day: dayOf(first), counts: some }], [Date.parse(last)]);

test.each([
  ["2026-10-12", "2026-10-12", "day", 1],
  ["2026-07-13", "2026-10-12", "day", 92],
  ["2026-07-12", "2026-10-12", "week", 15],
  ["2025-01-06", "2026-10-11", "week", 92],
  ["2025-01-05", "2026-10-12", "month", 22],
  ["2016-10-31", "2026-10-12", "quarter", 41],
  ["1970-01-01", "2026-10-12", "year", 57],
])("From %s to %s it is shown per %s, in %i bars", (first, last, unit, bars) => {
  const { unit: chosen, spans } = timeline(first, last);
  expect([chosen, spans.length]).toEqual([unit, bars]);
});

test("Weeks begin on Mondays, months and quarters on their first day, each where the one before ends", () => {
  const begins = (first: string) => {
    const { spans } = timeline(first, "2026-10-12");
    for (const [index, { to }] of spans.entries()) expect(spans[index + 1]?.from ?? to).toBe(to);
    return new Date(spans[0].from * dayMs).toISOString().slice(0, 10);
  };
  expect(begins("2026-05-07")).toBe("2026-05-04");
  expect(begins("2024-02-29")).toBe("2024-02-01");
  expect(begins("2017-03-31")).toBe("2017-01-01");
});

test("Every rating is in the span of its day", () => {
  const day = dayOf("2026-03-04");
  const { spans } = timelineOf(
    [
      { day, counts: some },
      { day: day + 3, counts: [0, 1, 0, 0, 0, 0] },
      { day: day + 8, counts: some },
    ],
    [(day + 200) * dayMs],
  );
  expect(spans.slice(0, 3).map(({ counts }) => counts)).toEqual([
    [1, 1, 0, 0, 0, 2],
    [1, 0, 0, 0, 0, 2],
    [0, 0, 0, 0, 0, 0],
  ]);
});

test("A young post's timeline has room for two weeks, and dates from its first day to today", () => {
  const young = timeline("2026-10-08", "2026-10-12");
  expect(young.end - young.begin).toBe(14);
  expect(ticksOf(young).map(({ text }) => text)).toEqual(["8 Oct", "12 Oct"]);
});

test.each([
  ["2026-09-25", ["25 Sept", "30 Sept", "5 Oct", "10 Oct"]],
  ["2026-07-20", ["1 Aug", "1 Sept", "1 Oct"]],
  ["2026-03-20", ["Apr", "Jun", "Aug", "Oct"]],
  ["2025-02-20", ["Apr", "Jul", "Oct", "2026", "Apr", "Jul"]],
  ["2023-10-20", ["2024", "2025", "2026"]],
  ["2016-10-20", ["2018", "2020", "2022", "2024", "2026"]],
])("From %s to 12 October 2026 the dates beneath are %j", (first, dates) => {
  expect(ticksOf(timeline(first, "2026-10-12")).map(({ text }) => text)).toEqual(dates);
});

test("A text stands over the middle of its part, and away from an edge that would cut it", () => {
  expect(textAt(40, 60, "5,776")).toEqual({ x: 50, anchor: "middle" });
  expect(textAt(1, 3, "5,776")).toEqual({ x: 1, anchor: "start" });
  expect(textAt(97, 99, "5,776")).toEqual({ x: 99, anchor: "end" });
});

const flag = (at: number, number: number, isHeld = false): Flag => ({
  from: at,
  to: at + 0.1,
  texts: [`Flood ${number}: 5,000 held`, `Flood ${number} held`, String(number)],
  isHeld,
});
const textsOf = (flags: Flag[]) =>
  placeFlags(flags)
    .map(({ text }) => text)
    .sort();

test("A label stands after its pole, or before it where the edge is near", () => {
  expect(placeFlags([flag(5, 1)])).toMatchObject([{ anchor: "start", at: 5, row: 0 }]);
  expect(placeFlags([flag(94, 1)])).toMatchObject([{ anchor: "end", at: 94.1, row: 0 }]);
});

test.each([2, 20, 40, 70, 94])("Two windows side by side at %i % are both labelled in full", (at) => {
  expect(textsOf([flag(at, 1), flag(at + 3, 2)])).toEqual(["Flood 1: 5,000 held", "Flood 2: 5,000 held"]);
});

test("Where not all labels fit, they are shorter, and those of held windows are not left out", () => {
  const crowd = Array.from({ length: 30 }, (_, index) => flag(index * 3, index + 1, index % 10 === 5));
  const labels = placeFlags(crowd);
  expect(labels.filter(({ isHeld }) => isHeld)).toHaveLength(3);
  expect(labels.length).toBeGreaterThan(10);
});
