import { describe, expect, test } from "vitest";
import { newDatabases } from "../testing/both-databases.ts";
import { addPost, addUser, morning, postOfAuthor, rate, textOf, userNamed } from "./contract/setting.ts";
import { changing, reportPageChanges } from "./page-changes.ts";

class RefusedError extends Error {}

describe.each(newDatabases)("changes of pages on %s", (_, open) => {
  /** A database with a post, and the numbers of users and posts at each report. */
  async function reported() {
    const database = await open();
    const { authorId, postId } = await postOfAuthor(database);
    const reports: unknown[] = [];
    const reporting = reportPageChanges(database, () => reports.push("change"));
    return { database: reporting, unreported: database, authorId, postId, reports };
  }

  test("are reported after each query that makes one", async () => {
    const { database, authorId, postId, reports } = await reported();
    const text = { ...textOf("New words."), title: "New", searchTitle: "new", searchContent: "new words." };
    const decision = { window: 1, at: morning, status: "held", decidedBy: "shape", ratings: 12 } as const;
    const changes = [
      () => addPost(database, authorId, "second"),
      () => database.transaction(() => database.posts.update(postId, text, morning)),
      () => database.posts.publish(postId, morning),
      () => database.posts.setPublishedAt(postId, morning),
      () => database.posts.setSlug(postId, "other", null),
      () => database.posts.setOptions(postId, { isUnlisted: false }),
      () => database.posts.saveHtml(postId, textOf("New words.", 2), morning),
      () => database.posts.setFeaturedAt(postId, morning),
      () => database.posts.setUnpublishedAt(postId, morning),
      () =>
        database.transaction(() =>
          database.tags.setOf(postId, [{ slug: "water", name: "Water" }], { names: true }),
        ),
      () => database.transaction(() => database.media.remove({ id: 1, name: "x" })),
      () => database.users.setDisabledAt(authorId, morning),
      () => database.users.setAllDisabledAt([authorId], null),
      () => database.transaction(() => database.posts.markDeleted(postId, morning)),
      () => database.transaction(() => database.users.markDeleted(authorId, morning)),
      () => addUser(database, "other"),
      () => database.users.approve(authorId),
      () => database.posts.markDeletedOf(authorId, morning, 20),
      () => database.floodWindows.recordDecision(postId, decision),
    ];
    expect(changes).toHaveLength(Object.values(changing).flat().length);
    for (const [index, change] of changes.entries()) {
      await change();
      expect(reports).toHaveLength(index + 1);
    }
  });

  test("are reported once their transaction is saved, and not before", async () => {
    const { database, unreported, reports } = await reported();
    await database.transaction(async () => {
      await database.transaction(() => database.users.insert(userNamed("ada")));
      expect(reports).toEqual([]);
    });
    expect(reports).toHaveLength(1);
    expect(await unreported.users.byUsernameKey("ada")).toBeDefined();
  });

  test("are reported when a transaction fails, as its commit may have been saved all the same", async () => {
    const { database, reports } = await reported();
    const failing = database.transactionNow(async () => {
      await database.users.insert(userNamed("ada"));
      throw new RefusedError();
    });
    await expect(failing).rejects.toBeInstanceOf(RefusedError);
    expect(reports).toHaveLength(1);
  });

  test("are reported of a query that runs after the transaction that began it", async () => {
    const { database, reports } = await reported();
    const { promise, resolve } = Promise.withResolvers<void>();
    let later: Promise<unknown> = Promise.resolve();
    await database.transaction(async () => {
      later = promise.then(() => database.users.insert(userNamed("later")));
    });
    expect(reports).toEqual([]);
    resolve();
    await later;
    expect(reports).toHaveLength(1);
  });

  test("are not reported of ratings and reads", async () => {
    const { database, authorId, reports } = await reported();
    await rate(database, authorId, 5);
    await database.transaction(() => database.posts.lock("post"));
    await database.posts.bySlug("post");
    expect(reports).toEqual([]);
  });
});
