import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseSettings } from "../settings/env.ts";
import { defaultLimits } from "./default-limits.ts";

const root = join(import.meta.dirname, "../..");
const names = Object.keys(defaultLimits(parseSettings({}))).toSorted();

test.each([
  ["docs/scores-and-limits.md", "## Every limit, by its name", "are the limits of"],
  [".env.example", "# The names: ", "# LIMITS={}"],
])("%s lists the name of every limit once", (file, from, to) => {
  const text = readFileSync(join(root, file), "utf8");
  const [, after = ""] = text.split(from);
  const [list = ""] = after.split(to);
  expect((list.match(/[a-z]+\.[a-z-]+/g) ?? []).toSorted()).toEqual(names);
});
