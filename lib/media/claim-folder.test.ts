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
import { claimMediaFolder, decideOnFolder, describeRefusal } from "./claim-folder.ts";
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

  test("is claimed once when several nodes start at the same time", async () => {
    const { folder, claim } = await setting(2);
    expect(await Promise.all([claim(), claim(), claim()])).toEqual(["own", "own", "own"]);
    expect(await folder.databaseId()).toMatch(/^[\da-f-]{36}$/);
    expect(await claim()).toBe("own");
  });

  test("is refused to another database, but to a new one only while it has images", async () => {
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

  test("is refused on a node when the others have another one, until its file has the id", async () => {
    const { folder, database, claim } = await setting(2);
    expect(await claim()).toBe("own");
    const own = await newFolder();
    const refused = await claimMediaFolder({ database, mediaFolder: own, nodeCount: 2 });
    expect(refused).toEqual({ kind: "not-the-shared-one", saved: await folder.databaseId() });
    expect(await claim(own)).toBe("not-the-shared-one");
    if (refused.kind !== "own") writeFileSync(join(own.path, databaseIdFile), `${refused.saved}\n`);
    expect(await claim(own)).toBe("own");
  });

  test("is refused without the images, and claimed after it was moved with them", async () => {
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

  test("is refused to a copy of the database with its images, until its file is removed", async () => {
    const { folder, database, claim } = await setting();
    await addImage(database, folder);
    expect(await claim()).toBe("own");
    const copy = await setting();
    await addImage(copy.database, copy.folder);
    expect(await copy.claim(folder)).toBe("of-another-database");
    expect(await claim()).toBe("own");
    rmSync(join(folder.path, databaseIdFile));
    expect(await copy.claim(folder)).toBe("own");
    expect(await claim()).toBe("of-another-database");
    rmSync(join(folder.path, databaseIdFile));
    expect(await claim()).toBe("own");
  });

  test("that has none of the images is refused to a single node, until its file has the id", async () => {
    const { folder, database, claim } = await setting();
    await addImage(database, folder);
    const empty = await newFolder();
    const refused = await claimMediaFolder({ database, mediaFolder: empty, nodeCount: 1 });
    expect(refused.kind).toBe("without-the-images");
    if (refused.kind !== "own") writeFileSync(join(empty.path, databaseIdFile), `${refused.saved}\n`);
    expect(await claim(empty)).toBe("own");
  });

  test("is claimed when it is new and a single node has no images", async () => {
    const { claim } = await setting();
    expect(await claim()).toBe("own");
    expect(await claim(await newFolder())).toBe("own");
  });
});

test.each([
  ["with images", true],
  ["without images", false],
])("a restored blog %s claims the folder of the replaced one", async (_, hasImages) => {
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

test("a blog restored beside another one leaves its folder to it", async () => {
  const url = temporaryDatabaseUrl();
  const folder = await newFolder();
  const file = join(temporaryFolder(), "weir.backup");
  const live = temporaryDatabase(url);
  await addImage(live, folder);
  await claimMediaFolder({ database: live, mediaFolder: folder, nodeCount: 1 });
  await backUp(url, file, { mediaFolder: folder.path });
  const id = await folder.databaseId();
  const trialUrl = temporaryDatabaseUrl();
  // Also over a database that has had a folder of its own.
  for (const replaces of [false, true]) {
    await restore(trialUrl, file, { now: morning, mediaFolder: folder.path, replaces });
    const trial = temporaryDatabase(trialUrl);
    const claim = async (mediaFolder = folder) =>
      (await claimMediaFolder({ database: trial, mediaFolder, nodeCount: 1 })).kind;
    expect(await claim()).toBe("of-another-database");
    await trial.close();
  }
  expect(await folder.databaseId()).toBe(id);
  expect((await claimMediaFolder({ database: live, mediaFolder: folder, nodeCount: 1 })).kind).toBe("own");
});

const isNew = {
  saved: undefined,
  found: undefined,
  imagesFound: "no-images",
  isEmpty: true,
  nodeCount: 1,
} as const;

test.each([
  [{}, "claimable"],
  [{ isEmpty: false }, "claimable"],
  [{ imagesFound: "some", isEmpty: false }, "claimable"],
  [{ imagesFound: "none-found" }, "without-the-images"],
  [{ imagesFound: "none-found", nodeCount: 2 }, "not-the-shared-one"],
  [{ nodeCount: 2 }, "claimable"],
  [{ saved: "one" }, "claimable"],
  [{ saved: "one", nodeCount: 2 }, "not-the-shared-one"],
  [{ saved: "one", imagesFound: "none-found" }, "without-the-images"],
  [{ saved: "one", imagesFound: "some", isEmpty: false, nodeCount: 2 }, "claimable"],
  [{ saved: "one", found: "one", imagesFound: "none-found", nodeCount: 2 }, "own"],
  [{ found: "other" }, "claimable"],
  [{ found: "other", isEmpty: false }, "of-another-database"],
  [{ found: "other", imagesFound: "some", isEmpty: false }, "of-another-database"],
  [{ found: "other", imagesFound: "none-found" }, "of-another-database"],
  [{ saved: "one", found: "other" }, "of-another-database"],
  [{ saved: "one", found: "other", imagesFound: "some", isEmpty: false }, "of-another-database"],
] as const)("a folder with %o is %s", (state, kind) => {
  expect(decideOnFolder({ ...isNew, ...state }).kind).toBe(kind);
});

test("the advice for a refused folder fits the images found", () => {
  const of = (imagesFound: "some" | "none-found" | "no-images") =>
    describeRefusal({ kind: "of-another-database", imagesFound }, { path: "/m", saved: "one" }).advice;
  expect(of("some")).toContain("To hand the folder over to this database, remove /m/database-id");
  expect(of("none-found")).toBe("set MEDIA_FOLDER to the one of this database");
  expect(of("no-images")).toContain("move or delete this folder");
  const alone = describeRefusal({ kind: "without-the-images" }, { path: "/m", saved: "one" });
  expect(alone.advice).toContain("To go on without them, write one to /m/database-id");
  expect(alone.advice).not.toContain("nodes");
});
