import { expect, test } from "vitest";
import { csvMaximum, readCsv } from "./csv.ts";
import { traceStart } from "./traffic.ts";

test("reads rows in any order, with and without users and a line of names", () => {
  const read = readCsv(
    'time,score,user\n2026-01-05T12:00:10Z,4,alice\n"2026-01-05 12:00";0\r\n\n1767614402000\t5\talice',
  );
  if (!read.ok) throw new Error(read.fault.kind);
  const noon = Date.UTC(2026, 0, 5, 12);
  expect(read).toEqual({
    ok: true,
    startsAt: null,
    requests: [
      { at: noon, score: 0 },
      { at: noon + 2_000, score: 5, user: 1 },
      { at: noon + 10_000, score: 4, user: 1 },
    ],
  });
});

test("counts small times as seconds since the beginning", () => {
  expect(readCsv("0,5\n1.5,3")).toMatchObject({
    startsAt: traceStart,
    requests: [{ at: traceStart }, { at: traceStart + 1_500 }],
  });
});

test.each([
  ["", { kind: "nothing" }],
  ["time,score", { kind: "nothing" }],
  ["0,5\n1", { kind: "columns", line: 2, text: "1" }],
  ["0,5,a,b", { kind: "columns", line: 1 }],
  ["0,5\nsoon,4", { kind: "notTime", line: 2, text: "soon,4" }],
  ["0,5\n-1,4", { kind: "negative", line: 2 }],
  ["0,6", { kind: "score", line: 1 }],
  ["0,", { kind: "score", line: 1 }],
  ["0,2.5", { kind: "score", line: 1 }],
  ["1970-01-01,5\n2026-01-01,5", { kind: "long" }],
])("names the fault and its line in %j", (text, fault) => {
  expect(readCsv(text)).toMatchObject({ ok: false, fault });
});

test("finds no time in a cell of more than 64 characters", () => {
  expect(readCsv(`${"1".padStart(64, "0")},4`)).toMatchObject({ ok: true });
  for (const time of ["1".padStart(65, "0"), `${"1".repeat(1_000_000)}x`])
    expect(readCsv(`${time},4`)).toMatchObject({ ok: false, fault: { kind: "notTime", line: 1 } });
});

test("takes 100,000 rows, and none more", () => {
  const rows = Array.from({ length: csvMaximum.rows }, (_, second) => `${second},5`).join("\n");
  expect(readCsv(rows)).toMatchObject({ ok: true });
  expect(readCsv(`${rows}\n0,5`)).toEqual({ ok: false, fault: { kind: "many" } });
});
