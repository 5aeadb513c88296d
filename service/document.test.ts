/** The service accepts the examples of docs/service.md. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { configurationReader } from "./configuration/index.ts";
import { requestSchema } from "./messages.ts";
import { conditionWords } from "./rules/condition-schema.ts";

const root = join(import.meta.dirname, "..");
const document = readFileSync(join(root, "docs/service.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "weir-document-"));
afterAll(() => rmSync(folder, { recursive: true }));

const configurations = [...document.matchAll(/```json\n(.*?)```/gs)].map(([, text = ""]) => text);

async function faultsOf(text: string) {
  const file = join(folder, "limiter.json");
  writeFileSync(file, text);
  const reading = await configurationReader(file)();
  return "faults" in reading ? reading.faults : [];
}

describe("a configuration in the document", () => {
  test("exists", () => expect(configurations.length).toBeGreaterThanOrEqual(3));

  test.each(configurations)("is without a fault: %s", async (text) => {
    expect(await faultsOf(text)).toEqual([]);
  });

  test("differs from one with a fault", async () => {
    const [first = ""] = configurations;
    expect(await faultsOf(first.replace('"default"', '"defualt"'))).not.toEqual([]);
  });
});

test.each([
  ["a condition", conditionWords],
  ["request", Object.keys(requestSchema.shape)],
])("the table headed by “%s” has each word of the language", (head, words) => {
  const [table = ""] = new RegExp(`^\\| ${head} \\|.*?\n\n`, "ms").exec(document) ?? [];
  for (const word of words) expect(table, word).toMatch(new RegExp(`[\`"]${word}[\`"]`));
});
