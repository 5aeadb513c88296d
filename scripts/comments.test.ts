/** Checks doc comments. */

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

/** The longest first line of a doc comment, in characters. */
const firstLineMaximum = 80;

test("the first line of every doc comment is a phrase of at most 80 characters", () => {
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.ts", "*.tsx", "*.mjs"], {
    cwd: root,
    encoding: "utf8",
  }).split("\n");
  const tooLong = files
    .filter((file) => file !== "" && existsSync(join(root, file)))
    .flatMap((file) =>
      [...readFileSync(join(root, file), "utf8").matchAll(/^[ \t{]*\/\*\*(?:\s*\* |\s)\s*(.+)$/gm)]
        .map(([, line = ""]) => line.replace(/\s*\*\/\}?$/, ""))
        .filter((line) => !line.startsWith("@") && line.length > firstLineMaximum)
        .map((line) => `${file}: ${line}`),
    );
  expect(tooLong).toEqual([]);
});
