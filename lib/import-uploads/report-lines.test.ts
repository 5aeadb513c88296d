import { expect, test } from "vitest";
import { morning } from "../../testing/content.ts";
import { authorsMaximum } from "./kinds.ts";
import { addTo, shortText } from "./report-lines.ts";
import { newReport } from "./uploads.ts";

const newOne = () => newReport({ format: "ghost", isTrial: true, at: morning });

test("a line has at most 20 different notes, of at most 300 characters each", () => {
  const report = newOne();
  const add = addTo(report, new Map());
  const notes = Array.from({ length: 8_300 }, (_, index) => `${index} ${"x".repeat(1_000)}`);
  const long = "y".repeat(70_000);
  add({ source: long, result: "failed", reason: long, notes });
  add({ source: "b", result: "imported", notes: ["same", "same"] });
  add({ source: "c", result: "imported", notes: [] });
  const [first, second] = report.lines;
  expect(report.lines).toHaveLength(2);
  expect(first?.notes).toHaveLength(21);
  expect(first?.notes.at(-1)).toBe("and 8,280 more");
  for (const text of [first?.source, first?.reason, first?.notes[0]]) expect(text).toHaveLength(300);
  expect(second?.notes).toEqual(["same"]);
  expect(report.counts).toMatchObject({ imported: 2, failed: 1 });
});

test("a text is cut between characters", () => {
  expect(shortText(`${"x".repeat(298)}😀y`)).toBe(`${"x".repeat(298)}…`);
  expect(shortText("x".repeat(300))).toBe("x".repeat(300));
});

test("a report of any import is small, and counts the lines that it leaves out", () => {
  const report = newOne();
  const add = addTo(report, new Map([["author 1", "jane"]]));
  for (let count = 0; count < 3_000; count += 1) {
    const notes = Array.from({ length: 30 }, (_, index) => `${index}${"\u0007".repeat(400)}`);
    add({ source: `${count}`, author: `author ${count}`, result: "failed", notes });
  }
  expect(JSON.stringify(report).length).toBeLessThan(3 * 1024 * 1024);
  expect(report.lines.length + report.more).toBe(3_000);
  expect(report.authors).toHaveLength(authorsMaximum);
  expect(report.authors[1]).toEqual({ name: "author 1", posts: 1, account: "jane" });
});
