import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inspect } from "../../db/inspect.ts";
import { addUser } from "../../testing/content.ts";
import { temporaryDatabase, temporaryDatabaseUrl, temporaryFolder } from "../../testing/database.ts";
import { mediaCheck } from "./media.ts";

test("finds images without files and files without images", async () => {
  const url = temporaryDatabaseUrl();
  const database = temporaryDatabase(url);
  const folder = join(temporaryFolder(), "media");
  const examine = async () => {
    const inspection = await inspect(url);
    try {
      return await mediaCheck(inspection, folder);
    } finally {
      await inspection.close();
    }
  };
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
