import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { filesIn } from "../../testing/archive.ts";
import { morning } from "../../testing/content.ts";
import { type ArchiveFile, jsonArray, zipOf } from "./zip.ts";

async function* all<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

test("an archive has its files, whatever their sizes and names", async () => {
  const long = "water ".repeat(200_000);
  const files: ArchiveFile[] = [
    { path: "posts/2026/آب.md", changedAt: morning, content: "متن" },
    { path: "empty.txt", changedAt: morning, content: "" },
    { path: "long.txt", changedAt: morning, content: all([long.slice(0, 7), long.slice(7)]) },
    {
      path: "image.png",
      changedAt: morning,
      content: all([Buffer.from("not compressed")]),
      isCompressed: true,
    },
    { path: "none.json", changedAt: morning, content: jsonArray(all([])) },
    { path: "some.json", changedAt: morning, content: jsonArray(all([{ a: 1 }, "b"])) },
  ];
  const found = await filesIn(zipOf(all(files)));
  expect([...found.keys()].sort()).toEqual(files.map(({ path }) => path).sort());
  expect(found.get("posts/2026/آب.md")).toBe("متن");
  expect(found.get("long.txt")).toBe(long);
  expect(found.get("image.png")).toBe("not compressed");
  expect(JSON.parse(found.get("none.json") ?? "")).toEqual([]);
  expect(JSON.parse(found.get("some.json") ?? "")).toEqual([{ a: 1 }, "b"]);
});

test("a client that reads nothing has nothing read for it, and one that leaves ends the reading", async () => {
  let requested = 0;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  async function* endless(): AsyncGenerator<ArchiveFile> {
    try {
      for (;;) {
        requested += 1;
        yield {
          path: `${requested}.bin`,
          changedAt: morning,
          content: all([Buffer.alloc(200_000, requested)]),
          isCompressed: true,
        };
      }
    } finally {
      end();
    }
  }
  const archive = zipOf(endless());
  await once(archive, "readable");
  for (let turn = 0; turn < 200; turn += 1) await nextTurn();
  expect(requested).toBeLessThan(5);
  archive.destroy();
  await ended;
});

test("an archive whose file cannot be read fails, and does not look complete", async () => {
  async function* failing(): AsyncGenerator<string> {
    yield "the beginning";
    throw new Error("the disk is gone");
  }
  await expect(
    buffer(zipOf(all([{ path: "a.txt", changedAt: morning, content: failing() }]))),
  ).rejects.toThrow("the disk is gone");
  async function* noFiles(): AsyncGenerator<ArchiveFile> {
    yield { path: "a.txt", changedAt: morning, content: "a" };
    throw new Error("the database is gone");
  }
  await expect(buffer(zipOf(noFiles()))).rejects.toThrow("the database is gone");
});
