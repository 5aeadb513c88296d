import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { backUp } from "../../db/backup.ts";
import type { Database } from "../../db/index.ts";
import { restore } from "../../db/restore.ts";
import { databaseIdFile } from "../../db/types.ts";
import { newDatabases } from "../../testing/both-databases.ts";
import { addUser, morning } from "../../testing/content.ts";
import { temporaryDatabase, temporaryDatabaseUrl, temporaryFolder } from "../../testing/database.ts";
import { claimMediaFolder } from "./claim-folder.ts";
import { mediaFolder } from "./folder.ts";

async function newFolder() {
  const folder = mediaFolder(join(temporaryFolder(), "media"));
  await folder.prepare();
  return folder;
}

/** Saves an image, and its files where they belong. */
async function addImage(database: Database, folder: Awaited<ReturnType<typeof newFolder>>) {
  const { id: userId } = await addUser(database, "writer");
  const name = "i".repeat(25);
  const shape = { width: 9, height: 9, isAnimated: false };
  await database.media.insert({ ...shape, name, userId, bytes: 1, alt: "", createdAt: morning });
  await folder.write(name, [{ ending: "9x9.webp", bytes: Buffer.from("x") }]);
}

describe.each(newDatabases)("the folder of images with a database on %s", (_, open) => {
  async function setting(nodeCount = 1) {
    const database = await open();
    const folder = await newFolder();
    const claim = async (other = folder) =>
      (await claimMediaFolder({ database, mediaFolder: other, nodeCount })).kind;
    return { database, folder, claim };
  }

  test("belongs to it from the first start on, which several nodes make at once", async () => {
    const { folder, claim } = await setting(2);
    expect(await Promise.all([claim(), claim(), claim()])).toEqual(["own", "own", "own"]);
    expect(await folder.databaseId()).toMatch(/^[\da-f-]{36}$/);
    expect(await claim()).toBe("own");
  });

  test("is refused to another database, new or not, unless it has no images", async () => {
    const first = await setting();
    expect(await first.claim()).toBe("own");
    const second = await setting();
    expect(await second.claim()).toBe("own");
    await addImage(second.database, second.folder);
    for (const folder of [second.folder, first.folder]) {
      expect(await first.claim(folder)).toBe(folder === first.folder ? "own" : "of-another-database");
      expect(await second.claim(folder)).toBe(folder === second.folder ? "own" : "of-another-database");
    }
    const third = await setting();
    expect(await third.claim(second.folder)).toBe("of-another-database");
    expect(await second.claim()).toBe("own");
    expect(await third.claim(first.folder)).toBe("own");
    expect(await first.claim()).toBe("of-another-database");
  });

  test("is refused where it is not the one that the other nodes have, until its file is written", async () => {
    const { folder, database, claim } = await setting(2);
    expect(await claim()).toBe("own");
    const own = await newFolder();
    const refused = await claimMediaFolder({ database, mediaFolder: own, nodeCount: 2 });
    expect(refused).toEqual({ kind: "not-the-shared-one", databaseId: await folder.databaseId() });
    expect(await claim(own)).toBe("not-the-shared-one");
    if (refused.kind === "not-the-shared-one")
      writeFileSync(join(own.path, databaseIdFile), `${refused.databaseId}\n`);
    expect(await claim(own)).toBe("own");
  });

  test("is refused without the images, and taken wherever they have been moved", async () => {
    const { folder, database, claim } = await setting(2);
    await addImage(database, folder);
    const empty = await newFolder();
    // As after an upgrade: no start has claimed one.
    expect(await claim(empty)).toBe("not-the-shared-one");
    expect(await claim()).toBe("own");
    expect(await claim(empty)).toBe("not-the-shared-one");
    const moved = `${folder.path}-moved`;
    renameSync(folder.path, moved);
    expect(await claim(mediaFolder(moved))).toBe("own");
    rmSync(join(moved, databaseIdFile));
    expect(await claim(mediaFolder(moved))).toBe("own");
  });

  test("is taken by a copy of the database that starts on it for the first time", async () => {
    const { folder, database, claim } = await setting();
    await addImage(database, folder);
    expect(await claim()).toBe("own");
    const copy = await setting();
    await addImage(copy.database, copy.folder);
    expect(await copy.claim(folder)).toBe("own");
    expect(await claim()).toBe("of-another-database");
    rmSync(join(folder.path, databaseIdFile));
    expect(await claim()).toBe("own");
  });

  test("may be new for a single node without images", async () => {
    const { claim } = await setting();
    expect(await claim()).toBe("own");
    expect(await claim(await newFolder())).toBe("own");
  });
});

test.each([
  ["with images", true],
  ["without images", false],
])("a restored blog %s takes the folder of the replaced one", async (_, hasImages) => {
  const url = temporaryDatabaseUrl();
  const folder = await newFolder();
  const file = join(temporaryFolder(), "weir.backup");
  const database = temporaryDatabase(url);
  if (hasImages) await addImage(database, folder);
  await claimMediaFolder({ database, mediaFolder: folder, nodeCount: 2 });
  await backUp(url, file, { mediaFolder: folder.path });
  if (!hasImages) await addImage(database, folder);
  await database.close();
  const before = await folder.databaseId();
  await restore(url, file, { now: morning, mediaFolder: folder.path, replaces: true });
  const restored = temporaryDatabase(url);
  expect(await claimMediaFolder({ database: restored, mediaFolder: folder, nodeCount: 2 })).toEqual({
    kind: "own",
  });
  expect(await folder.databaseId()).not.toBe(before);
});
