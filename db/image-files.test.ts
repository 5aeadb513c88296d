/** Copies of image files, after an interruption too. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../testing/database.ts";
import { copyImageFiles } from "./image-files.ts";

const nameOf = (letter: string) => `${letter.repeat(25)}-8x8.webp`;

test("copies the images that are not there yet, and repairs one that was cut short", () => {
  const [from, to] = [temporaryFolder(), join(temporaryFolder(), "new", "media")];
  for (const letter of ["a", "b", "c"]) writeFileSync(join(from, nameOf(letter)), `image ${letter}`);
  writeFileSync(join(from, "notes.txt"), "not an image");
  const first = copyImageFiles(from, to);
  expect(first).toMatchObject({ files: 3, found: 0 });
  expect(readdirSync(to).sort()).toEqual(["a", "b", "c"].map(nameOf));

  const { ino } = statSync(join(to, nameOf("a")));
  writeFileSync(join(to, nameOf("b")), "ima");
  writeFileSync(join(to, nameOf("c")), "imagX c");
  writeFileSync(join(to, nameOf("d")), "another image");
  expect(copyImageFiles(from, to)).toEqual({ ...first, found: 1 });
  expect(["b", "c", "d"].map((letter) => readFileSync(join(to, nameOf(letter)), "utf8"))).toEqual([
    "image b",
    "image c",
    "another image",
  ]);
  expect(statSync(join(to, nameOf("a"))).ino).toBe(ino);
});

test("copies nothing where there are no images yet", () => {
  const to = temporaryFolder();
  expect(copyImageFiles(join(to, "none"), to)).toMatchObject({ files: 0, found: 0 });
});
