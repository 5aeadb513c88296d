import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";

const readme = readFileSync(join(import.meta.dirname, "README.md"), "utf8");
const examples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code);

it("has six examples", () => expect(examples).toHaveLength(6));

it.each(examples)("runs an example, and it prints what it says: %#", (code) => {
  const folder = mkdtempSync(join(tmpdir(), "limiter-example-"));
  try {
    const file = join(folder, "example.mts");
    const library = pathToFileURL(join(import.meta.dirname, "index.ts")).href;
    writeFileSync(file, code.replace("./index.ts", library));
    const printed = execFileSync(process.execPath, ["--no-warnings", file], { encoding: "utf8" });
    const promised = [...code.matchAll(/\/\/ (.*)$/gm)].map(([, text]) => text);
    expect(printed.trim().split("\n")).toEqual(promised);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
