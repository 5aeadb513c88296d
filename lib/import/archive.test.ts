/** Archives with false sizes, and folders with links. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Failure } from "../../db/failure.ts";
import { type CraftedEntry, craftedZip } from "../../testing/crafted-zip.ts";
import { temporaryFolder } from "../../testing/database.ts";
import { openSource, sourceMaximum } from "./archive.ts";

const good: CraftedEntry = { name: "good.md", content: "A text." };

function fileOf(bytes: Buffer): string {
  const file = join(temporaryFolder(), "archive.zip");
  writeFileSync(file, bytes);
  return file;
}

async function opened(...entries: CraftedEntry[]) {
  const source = await openSource(fileOf(craftedZip(entries)));
  onTestFinished(() => source.close());
  return source;
}

test("reads an archive's files, and leaves out folders", async () => {
  const { files, refused } = await opened(good, { name: "a/", content: "" }, { ...good, name: "a/آب.md" });
  expect([...files.keys()]).toEqual(["good.md", "a/آب.md"]);
  expect((await files.get("a/آب.md")?.read())?.toString()).toBe("A text.");
  expect(refused).toEqual([]);
});

test.each([
  "../evil.md",
  "a/../../evil.md",
  "/etc/passwd",
  "C:\\evil.md",
  "..\\evil.md",
  "a\\..\\..\\evil.md",
])("refuses an archive with the path %s", async (name) => {
  await expect(opened(good, { ...good, name })).rejects.toThrow(Failure);
});

test("leaves out links, encrypted files and second files of one path", async () => {
  const { files, refused } = await opened(
    good,
    { name: "link.md", content: "/etc/passwd", mode: 0o120777 },
    { name: "secret.md", content: "x", isDeflated: true, isEncrypted: true },
    { ...good, content: "Another text." },
  );
  expect((await files.get("good.md")?.read())?.toString()).toBe("A text.");
  expect(files.size).toBe(1);
  expect(refused).toEqual([
    { path: "link.md", reason: "It is a link or a special file." },
    { path: "secret.md", reason: "It is encrypted." },
    { path: "good.md", reason: "The archive has it twice." },
  ]);
});

test("leaves out files that are too large, alone or together", async () => {
  const large = (name: string) => ({
    name,
    content: "x",
    isDeflated: true,
    statedBytes: sourceMaximum.fileBytes,
  });
  const count = sourceMaximum.bytes / sourceMaximum.fileBytes;
  const { files, refused } = await opened(
    { ...large("larger"), statedBytes: sourceMaximum.fileBytes + 1 },
    { ...large("largest"), statedBytes: 2 ** 32 - 2 },
    ...Array.from({ length: count + 1 }, (_, index) => large(`${index}`)),
  );
  expect(files.size).toBe(count);
  expect(refused.map(({ path }) => path)).toEqual(["larger", "largest", `${count}`]);
});

test("fails to read a file that unpacks to more than the archive states", async () => {
  const bomb = { name: "bomb.md", content: "0".repeat(50_000_000), isDeflated: true, statedBytes: 10 };
  const { files } = await opened(bomb, good);
  await expect(files.get("bomb.md")?.read()).rejects.toThrow("too many bytes");
  expect((await files.get("good.md")?.read())?.toString()).toBe("A text.");
});

test("reads a name of 60,000 letters as any other", async () => {
  const name = `${"x".repeat(60_000)}.md`;
  expect([...(await opened({ ...good, name })).files.keys()]).toEqual([name]);
});

test("refuses an archive that is cut off, or whose directory is damaged", async () => {
  const whole = craftedZip([good, { ...good, name: "other.md" }]);
  await expect(openSource(fileOf(whole.subarray(0, -30)))).rejects.toThrow(Failure);
  const damaged = Buffer.from(whole);
  damaged.write("XX", damaged.lastIndexOf("PK\x01\x02"));
  await expect(openSource(fileOf(damaged))).rejects.toThrow(Failure);
});

test("a folder's links are left out, and a link to a folder is opened", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "posts"));
  writeFileSync(join(folder, "posts/good.md"), "A text.");
  symlinkSync("/etc/passwd", join(folder, "posts/evil.md"));
  symlinkSync("/etc", join(folder, "etc"));
  const link = join(temporaryFolder(), "link");
  symlinkSync(folder, link);
  const { files, refused } = await openSource(link);
  expect([...files.keys()]).toEqual(["posts/good.md"]);
  expect(refused.map(({ path }) => path)).toEqual(["etc", "posts/evil.md"]);
});
