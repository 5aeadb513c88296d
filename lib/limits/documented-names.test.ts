import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { parseSettings } from "../settings/env.ts";
import { defaultLimits } from "./default-limits.ts";

const root = join(import.meta.dirname, "../..");
const defaults = defaultLimits(parseSettings({}));
const names = Object.keys(defaults).toSorted();

const bucket = z.object({
  mode: z.string(),
  capacity: z.number(),
  leakPerSecond: z.number().optional(),
  refillPerSecond: z.number().optional(),
});

test.each([
  ["docs/scores-and-limits.md", "## Every limit, by its name", "are the limits of"],
  [".env.example", "# The names: ", "# LIMITS={}"],
])("%s lists the name of every limit once", (file, from, to) => {
  const text = readFileSync(join(root, file), "utf8");
  const [, after = ""] = text.split(from);
  const [list = ""] = after.split(to);
  expect((list.match(/[a-z]+\.[a-z-]+/g) ?? []).toSorted()).toEqual(names);
});

test("docs/scores-and-limits.md has the default of every limit", () => {
  const text = readFileSync(join(root, "docs/scores-and-limits.md"), "utf8");
  const rows = [...text.matchAll(/^\| `([a-z]+\.[a-z-]+)` \| .+ \| (.+) \|$/gm)];
  const documented = rows.map(([, name, value]) => [name, value]);
  const expected = Object.entries(defaults).map(([name, limit]) => {
    const { mode, capacity, ...rates } = bucket.parse(limit);
    const perSecond = rates.leakPerSecond ?? rates.refillPerSecond ?? expect.fail(name);
    const value = `${capacity} at once, then ${rateText(perSecond)}`;
    return [name, mode === "off" ? `off; when on, ${value}` : value];
  });
  expect(documented.toSorted()).toEqual(expected.toSorted());
});

/** A rate such as "10 a second" or "1 every 5 minutes". */
function rateText(perSecond: number): string {
  if (perSecond >= 1) return `${perSecond} a second`;
  const seconds = 1 / perSecond;
  const [unit, length] =
    seconds < 60
      ? (["second", 1] as const)
      : seconds < 3_600
        ? (["minute", 60] as const)
        : (["hour", 3_600] as const);
  const count = Number((seconds / length).toFixed(2));
  return count === 1 ? `1 ${unit === "hour" ? "an" : "a"} ${unit}` : `1 every ${count} ${unit}s`;
}
