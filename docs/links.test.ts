import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

test("every link from one file to another in the documents leads somewhere", () => {
  const documents = globSync(["*.md", "docs/**/*.md", "lib/**/*.md"]);
  expect(documents.length).toBeGreaterThan(10);
  const broken = documents.flatMap((document) =>
    [...readFileSync(document, "utf8").matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
      .map(([, target = ""]) => join(dirname(document), target))
      .filter((target) => !existsSync(target))
      .map((target) => `${document}: ${target}`),
  );
  expect(broken).toEqual([]);
});
