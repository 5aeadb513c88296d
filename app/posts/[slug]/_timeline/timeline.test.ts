import { expect, test } from "vitest";
import type { Counts } from "@/lib/ratings/score/score";
import { dayMs } from "@/lib/time/units";
import { timelineOf } from "./spans";

const dayOf = (date: string) => Date.parse(date) / dayMs;
const some: Counts = [1, 0, 0, 0, 0, 2];
const timeline = (first: string, last: string) =>
  timelineOf([{ day: dayOf(first), counts: some }], [Date.parse(last)]);

test.each([
  ["2026-10-12", "2026-10-12", "day", 7],
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

test("weeks begin on Mondays, months and quarters on their first day, each where the one before ends", () => {
  const begins = (first: string) => {
    const { spans } = timeline(first, "2026-10-12");
    for (const [index, { to }] of spans.entries()) expect(spans[index + 1]?.from ?? to).toBe(to);
    return new Date(spans[0].from * dayMs).toISOString().slice(0, 10);
  };
  expect(begins("2026-05-07")).toBe("2026-05-04");
  expect(begins("2024-02-29")).toBe("2024-02-01");
  expect(begins("2017-03-31")).toBe("2017-01-01");
});

test("every rating is in the span of its day", () => {
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

test("a young post's timeline begins a week ago", () => {
  const { spans } = timeline("2026-10-08", "2026-10-12");
  expect(spans.map(({ from }) => from)[0]).toBe(dayOf("2026-10-06"));
  expect(spans).toHaveLength(7);
});
