/** The whole site's files, on both databases. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Database } from "../../db/index.ts";
import { filesIn } from "../../testing/archive.ts";
import { newDatabases } from "../../testing/both-databases.ts";
import { addPost, addUser, contextOf, morning } from "../../testing/content.ts";
import { temporaryFolder } from "../../testing/database.ts";
import { latestChanges } from "../account-changes/index.ts";
import { earlierVersionsFile } from "../archive/earlier-versions.ts";
import { zipOf } from "../archive/zip.ts";
import { mediaFolder } from "../media/folder.ts";
import { siteDefaults } from "../site/schema.ts";
import { exportSite, siteFiles } from "./index.ts";

const bounds = { count: 200, characters: 1e6 };
const savedAt = "2026-03-01T09:00:00.000Z";

function exported(database: Database, includesEmails: boolean): Promise<Map<string, string>> {
  const folder = mediaFolder(join(temporaryFolder(), "media"));
  const site = { database, mediaFolder: folder, settings: siteDefaults, now: morning, includesEmails };
  return filesIn(zipOf(siteFiles(site)));
}

describe.each(newDatabases)("an exported site on %s", (_, open) => {
  test("has the earlier versions of all posts that are there, more than are read at a time", async () => {
    const database = await open();
    const alder = await addUser(database, "alder");
    const birch = await addUser(database, "birch");
    const revise = async (author: typeof alder, title: string, count: number) => {
      const { id: postId, slug } = await addPost(database, author, { title });
      const text = (number: number) => ({ title: `${title} ${number}`, content: `Text ${number}` });
      await database.transaction(async () => {
        for (let number = 0; number < count; number += 1)
          await database.postRevisions.insert({ postId, ...text(number), savedAt: morning }, bounds);
      });
      const versions = Array.from({ length: count }, (_, number) => ({
        post: slug,
        savedAt,
        ...text(number),
      }));
      return { postId, versions };
    };
    const { versions } = await revise(alder, "Often", 101);
    const other = await revise(birch, "Once", 1);
    const deleted = await revise(birch, "Gone", 1);
    await database.transaction(() => database.posts.markDeleted(deleted.postId, morning));

    const files = await exported(database, false);
    const all = [...versions, ...other.versions];
    expect(JSON.parse(files.get("earlier-versions.json") ?? "")).toEqual(all);
    const { content } = earlierVersionsFile(database, morning, birch.id);
    let text = "";
    for await (const part of content) text += part;
    expect(JSON.parse(text)).toEqual(other.versions);
  });

  test("has the addresses of users and subscribers only where they are requested", async () => {
    const database = await open();
    await addUser(database, "alder");
    const email = "reed@example.org";
    await database.subscribers.add({ email, emailKey: email, locale: "fa", createdAt: morning });

    const without = await exported(database, false);
    expect([...without.keys()].sort()).toEqual([
      "earlier-versions.json",
      "media.json",
      "scores.json",
      "site.json",
      "users.json",
    ]);
    expect([...without.values()].join("\n")).not.toContain("@example.org");
    const files = await exported(database, true);
    expect(files.get("subscribers.csv")).toBe(`email,language,since\r\n"${email}",fa,${savedAt}\r\n`);
    expect(JSON.parse(files.get("users.json") ?? "")).toMatchObject([{ email: "alder@example.org" }]);
  });

  test("is on record, with or without the addresses", async () => {
    const database = await open();
    const actor = await addUser(database, "alder", { isAdministrator: true });
    const folder = mediaFolder(join(temporaryFolder(), "media"));
    const context = { ...contextOf(database), mediaFolder: folder, settings: siteDefaults };
    for (const includesEmails of [false, true]) {
      const request = { actor, address: "192.0.2.1", now: morning, includesEmails };
      expect(await exportSite(context, request)).toMatchObject({ kind: "ready" });
    }
    const { changes } = await latestChanges({ database }, actor);
    expect(changes.map(({ kind }) => kind)).toEqual(["export-site-with-emails", "export-site"]);
  });
});
