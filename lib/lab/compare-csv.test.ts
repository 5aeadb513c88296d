import { afterAll, expect, test } from "vitest";
import { limitsFrom } from "../limits/index.ts";
import { scoringFrom } from "../ratings/tally/scoring-settings.ts";
import { parseSettings } from "../settings/env.ts";
import { createCsvComparer, writtenLimits } from "./compare-csv.ts";
import type { CsvTask } from "./csv-task.ts";

const settings = parseSettings({});
const comparer = createCsvComparer({ maximumMs: 600_000 });
afterAll(() => comparer.close());

const task = (text: string): CsvTask => ({
  text,
  algorithms: [
    { name: "leaky-bucket", parameters: { algorithm: "leaky-bucket", capacity: 5, leakPerSecond: 1 } },
  ],
  limits: writtenLimits(limitsFrom(settings)),
  scoring: scoringFrom(settings),
});
const csvOf = (count: number) => Array.from({ length: count }, (_, second) => `${60 * second},4`).join("\n");

test("compares the limits on pasted ratings in another thread", async () => {
  const outcome = await comparer.compare(task(`${csvOf(30)}\n${"1800,0\n".repeat(20)}`));
  if (outcome.kind !== "compared") throw new Error(outcome.kind);
  const { unlimited, rows } = outcome.comparison;
  expect(unlimited.averages.at(-1)).toBeCloseTo(2.4);
  expect(rows[0]?.refusing.refused).toBe(15);
});

test("answers with the fault of a line", async () => {
  const outcome = await comparer.compare(task("0,9"));
  expect(outcome).toMatchObject({ kind: "faulty", fault: { kind: "score", line: 1 } });
});

test("refuses a comparison while three others run or wait", async () => {
  const all = await Promise.all([1, 2, 3, 4].map(() => comparer.compare(task(csvOf(10)))));
  expect(all.map(({ kind }) => kind)).toEqual(["compared", "compared", "compared", "busy"]);
});

test("ends a comparison that takes too long, and the next one is computed", async () => {
  const hasty = createCsvComparer({ maximumMs: 1 });
  expect(await hasty.compare(task(csvOf(50_000)))).toEqual({ kind: "too-long" });
  await hasty.close();
  expect(await comparer.compare(task(csvOf(10)))).toMatchObject({ kind: "compared" });
});
