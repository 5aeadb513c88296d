import { join } from "node:path";
import { expect, test } from "vitest";
import { addUser, contextOf, limitsWith, morning } from "../../testing/content.ts";
import { temporaryDatabase, temporaryFolder } from "../../testing/database.ts";
import { uploadMaximumBytes } from "../media/bounds.ts";
import { createImageEncoder } from "../media/encoder.ts";
import { mediaFolder } from "../media/folder.ts";
import type { SourceFile } from "./archive.ts";
import { imagesFrom } from "./images.ts";

test("a picture that fails is read once for all its uses, and one that is too large never", async () => {
  const database = temporaryDatabase();
  const author = await addUser(database, "jane");
  const folder = mediaFolder(join(temporaryFolder(), "media"));
  await folder.prepare();
  const reads: string[] = [];
  const file = (path: string, bytes: number): SourceFile => ({
    path,
    bytes,
    changedAt: morning,
    read: async () => {
      reads.push(path);
      return Buffer.alloc(9, "no image");
    },
  });
  const files = new Map([
    ["bad.png", file("bad.png", 9)],
    ["large.png", file("large.png", uploadMaximumBytes + 1)],
  ]);
  const source = { files, refused: [], close: async () => {} };
  const uploads = {
    ...contextOf(database, limitsWith()),
    mediaFolder: folder,
    imageEncoder: createImageEncoder({ wallMaximumMs: 600_000 }),
    whoMayWrite: "anyone" as const,
    mediaBytesPerUser: 1e9,
  };
  for (const isTrial of [true, false]) {
    const images = imagesFrom(source, {
      uploads: isTrial ? undefined : uploads,
      busyMaximumMs: 0,
      now: morning,
    });
    const placed = await images.place("![](bad.png) ![](large.png)".repeat(30), {
      source: "a.md",
      author,
    });
    const notes = placed.kind === "placed" ? placed.notes : expect.fail(placed.reason);
    const large =
      "The picture large.png was not taken over: This file is too large: an image may have at most 10 MB.";
    expect(new Set(notes.filter((note) => note.includes("large")))).toEqual(new Set([large]));
    expect(reads).toEqual(isTrial ? [] : ["bad.png"]);
  }
});
