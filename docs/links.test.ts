import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const documents = globSync(["*.md", "docs/**/*.md", "lib/**/*.md"]);

test("every link from one file to another in the documents leads somewhere", () => {
  expect(documents.length).toBeGreaterThan(10);
  const links = documents.flatMap((document) =>
    [...readFileSync(document, "utf8").matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)].map(
      ([, path = "", anchor]) => ({ document, target: path ? join(document, "..", path) : document, anchor }),
    ),
  );
  const broken = links.filter(
    ({ target, anchor }) => !existsSync(target) || (anchor && !anchorsOf(target).has(anchor)),
  );
  expect(broken).toEqual([]);
});

/** The anchors of a document: its headings' and those written out. */
function anchorsOf(document: string): Set<string> {
  const text = readFileSync(document, "utf8");
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
  const written = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id);
  return new Set([...headings, ...written]);
}
