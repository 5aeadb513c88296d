import { expect, test } from "vitest";
import { type LabQuery, labPath, labQuery } from "@/lib/lab/address";
import { partOf } from "@/lib/lab/part";
import { labSettings, settingTexts } from "@/lib/lab/settings";
import { parseSettings } from "@/lib/settings/env";
import { drawing } from "./draw";
import { shownTrace } from "./shown-trace";

const own = parseSettings({});

async function drawn(parameters: Record<string, string>) {
  const query: LabQuery = labQuery(parameters, { settings: settingTexts(own), limits: [] });
  const found = await shownTrace(query, null);
  if (found.kind !== "trace") throw new Error(`There is no trace at ${labPath(query)}.`);
  return drawing(query, labSettings(query.settings, own), found.trace, partOf(found.trace, query));
}

test("computes an address of a known trace once", async () => {
  expect(await drawn({ trace: "locker", LEAKY_BUCKET_CAPACITY: "20" })).toBe(
    await drawn({ trace: "locker" }),
  );
});

test("computes another trace, setting, part or choice of algorithms separately", async () => {
  const rows = [];
  for (const parameters of [
    { trace: "tokens" },
    { trace: "tokens", TOKEN_BUCKET_CAPACITY: "10", TOKEN_BUCKET_REFILL_PER_SECOND: "2" },
    { trace: "tokens", lane: "token-bucket" },
    { trace: "tokens", from: "0.5", to: "1" },
  ])
    rows.push((await drawn(parameters)).rows.find(({ name }) => name === "token-bucket"));
  expect(rows.map((row) => [row?.accepted, row?.refused])).toEqual([
    [15, 0],
    [12, 3],
    [15, 0],
    [5, 0],
  ]);
});

test("keeps nothing that a visitor pasted", async () => {
  const pasted = { trace: "times", times: "0\n1\n2" };
  expect(await drawn(pasted)).toEqual(await drawn(pasted));
  expect(await drawn(pasted)).not.toBe(await drawn(pasted));
});

test("keeps little memory for the largest trace", async () => {
  expect(JSON.stringify(await drawn({ trace: "flood", from: "0" })).length).toBeLessThan(150_000);
});
