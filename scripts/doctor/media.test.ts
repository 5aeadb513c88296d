import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inspect } from "../../db/inspect.ts";
import { addUser, morning } from "../../testing/content.ts";
import { temporaryDatabase, temporaryDatabaseUrl, temporaryFolder } from "../../testing/database.ts";
import { mediaCheck } from "./media.ts";

async function check(url: string, path: string, nodeCount = 1) {
  const inspection = await inspect(url);
  try {
    return await mediaCheck(inspection, { path, nodeCount });
  } finally {
    await inspection.close();
  }
}

test("finds images without files and files without images", async () => {
  const url = temporaryDatabaseUrl();
  const database = temporaryDatabase(url);
  const folder = join(temporaryFolder(), "media");
  const examine = () => check(url, folder);
  expect(await examine()).toEqual({ name: "images", status: "ok", finding: "There are none." });
  const { id: userId } = await addUser(database, "writer");
  const name = "i".repeat(25);
  const image = { name, userId, width: 300, height: 200, isAnimated: true, bytes: 3, alt: "", createdAt: 0 };
  await database.media.insert(image);
  expect(await examine()).toMatchObject({
    status: "fault",
    finding: expect.stringContaining("MEDIA_FOLDER"),
  });
  mkdirSync(folder);
  const endings = ["300x200.avif", "300x200.webp", "300x200-animated.webp"];
  for (const ending of endings) writeFileSync(join(folder, `${name}-${ending}`), "x");
  expect(await examine()).toMatchObject({ status: "ok", finding: `1 images in ${folder}.` });
  await database.transaction(async () => {
    await database.media.lockFolderId();
    await database.media.saveFolderId("one");
  });
  for (const [id, status] of [
    ["one\n", "ok"],
    ["another\n", "fault"],
  ] as const) {
    writeFileSync(join(folder, "database-id"), id);
    expect(await examine()).toMatchObject({ status });
  }
  expect((await examine()).finding).toContain(`remove ${join(folder, "database-id")}`);
  rmSync(join(folder, "database-id"));
  writeFileSync(join(folder, `${"o".repeat(25)}-1x1.webp`), "x");
  expect(await examine()).toMatchObject({
    status: "ok",
    finding: expect.stringContaining("1 files of no image"),
  });
  const icon = new Map([["SITE_ICON", `/media/${name}-300x200-animated.webp`]]);
  await database.transaction(() => database.siteSettings.save(icon));
  expect(await examine()).toMatchObject({
    status: "warning",
    finding: expect.stringContaining(`${name}-48x48.png`),
  });
  for (const side of [48, 180, 192, 512]) writeFileSync(join(folder, `${name}-${side}x${side}.png`), "x");
  expect(await examine()).toMatchObject({ status: "ok" });
  rmSync(join(folder, `${name}-300x200.avif`));
  expect(await examine()).toMatchObject({
    status: "warning",
    finding: expect.stringContaining(`${name}-300x200.avif`),
  });
});

test("reports a folder that a start refuses, and changes nothing", async () => {
  const url = temporaryDatabaseUrl();
  const database = temporaryDatabase(url);
  const folder = temporaryFolder();
  const expectFault = async (finding: string, nodeCount = 1) =>
    expect(await check(url, folder, nodeCount)).toEqual({
      name: "images",
      status: "fault",
      finding: expect.stringContaining(finding),
    });
  // A new database beside the folder of an old one.
  writeFileSync(join(folder, `${"o".repeat(25)}-1x1.webp`), "x");
  writeFileSync(join(folder, "database-id"), "other\n");
  await expectFault("To begin afresh when the other database is gone, move or delete this folder");
  rmSync(join(folder, "database-id"));
  expect(await check(url, folder, 2)).toMatchObject({ status: "ok" });
  await database.transaction(async () => {
    await database.media.lockFolderId();
    await database.media.saveFolderId("one");
  });
  await expectFault(`all nodes share, and mount it first. To go on with this one, write one to ${folder}`, 2);
  expect(await check(url, join(folder, "none"), 2)).toMatchObject({ status: "fault" });
  const { id: userId } = await addUser(database, "writer");
  const shape = { width: 9, height: 9, isAnimated: false };
  await database.media.insert({
    ...shape,
    name: "i".repeat(25),
    userId,
    bytes: 1,
    alt: "",
    createdAt: morning,
  });
  await expectFault("has none of this database's images, so no server starts: mount it or restore them");
  mkdirSync(join(folder, "database-id"));
  await expectFault(`${join(folder, "database-id")} cannot be read`);
});
