import { expect, test } from "vitest";
import { addPost, addUser, morning, type Open, postOfAuthor, rating, tallyWith, textOf } from "./setting.ts";

export function postContract(open: Open): void {
  test("finds a post by its slug as it was saved", async () => {
    const database = await open();
    const { posts } = database;
    const authorId = await addUser(database, "Ada");
    const text = { title: "Über Wehre \u{1F30A}", content: "Zeile 1\n\tZeile 2 \u{1F30A} ' \" \\ %" };
    const id = await addPost(database, authorId, "über-wehre", text);
    expect(await posts.bySlug("über-wehre")).toEqual({
      id,
      slug: "über-wehre",
      title: text.title,
      authorId,
      author: "Ada",
      createdAt: morning,
      updatedAt: morning,
      publishedAt: morning,
      publishAt: null,
      missedAt: null,
      isUnlisted: false,
      lang: null,
      chosenLang: null,
      detectedLang: null,
      excerpt: null,
      chosenExcerpt: null,
      cover: null,
      coverAlt: null,
      readingMinutes: null,
      counts: [0, 0, 0, 0, 0, 0],
      settled: { score: null, velocity: 0, raters: 0, firstAt: 0, lastRaterAt: 0, at: 0 },
      unpublishedAt: null,
      featuredAt: null,
      windowCount: 0,
      rankScore: 2.5,
    });
    expect(await posts.idOf("über-wehre")).toEqual({ id, authorId });
    expect(await posts.lock("über-wehre")).toEqual({
      id,
      authorId,
      publishedAt: morning,
      unpublishedAt: null,
      tally: tallyWith(),
    });
    expect(await posts.textOf(id)).toEqual(textOf(text.content));
  });

  test("finds a post as changed by a query that ran beside its lock", async () => {
    const database = await open();
    const { posts, transaction } = database;
    const { postId } = await postOfAuthor(database);
    await transaction(async () => {
      await Promise.all([posts.lock("post"), posts.setUnpublishedAt(postId, morning)]);
      expect(await posts.lock("post", { unpublished: true })).toMatchObject({ unpublishedAt: morning });
    });
  });

  test("keeps a post's summary and chosen language until a change gives others", async () => {
    const database = await open();
    const { posts, transaction } = database;
    const { postId } = await postOfAuthor(database);
    const text = { title: "Post", ...textOf("Words."), searchTitle: "post", searchContent: "words." };
    const change = (also: object) => transaction(() => posts.update(postId, { ...text, ...also }, morning));
    const summary = { detectedLang: "fa", excerpt: "متن…", readingMinutes: 3 };
    await change(summary);
    expect(await posts.bySlug("post")).toMatchObject({ ...summary, chosenLang: null, lang: "fa" });
    await change({ chosenLang: "ar" });
    expect(await posts.bySlug("post")).toMatchObject({ ...summary, chosenLang: "ar", lang: "ar" });
    expect(await posts.list({ sort: "newest", limit: 1 })).toMatchObject([{ ...summary, lang: "ar" }]);
    await change({ chosenLang: null });
    expect(await posts.bySlug("post")).toMatchObject({ ...summary, lang: "fa" });
  });

  test("finds no post that does not exist", async () => {
    const database = await open();
    const { posts, transaction } = database;
    await postOfAuthor(database);
    for (const slug of ["", "Post", "pos", "post ", "%", "post\0", "\ud800", "'", "\\"]) {
      expect(await posts.bySlug(slug)).toBeUndefined();
      expect(await posts.idOf(slug)).toBeUndefined();
      expect(await transaction(() => posts.lock(slug))).toBeUndefined();
    }
    expect(await posts.textOf(99)).toBeUndefined();
  });

  test("rejects a slug in use, and a post without an author", async () => {
    const database = await open();
    const { authorId } = await postOfAuthor(database);
    await expect(addPost(database, authorId, "post")).rejects.toThrow();
    await expect(addPost(database, 99, "other")).rejects.toThrow();
    await addPost(database, authorId, "Post");
    expect(await database.posts.recent(9)).toHaveLength(2);
  });

  test("keeps slug and creation time when a post changes", async () => {
    const database = await open();
    const { posts, transaction } = database;
    const { postId } = await postOfAuthor(database);
    const text = { title: "New", ...textOf("Other"), searchTitle: "new", searchContent: "other" };
    await transaction(() => posts.update(postId, text, morning + 5));
    expect(await posts.bySlug("post")).toMatchObject({
      title: "New",
      createdAt: morning,
      updatedAt: morning + 5,
    });
    expect(await posts.textOf(postId)).toEqual(textOf("Other"));
    const found = (word: string) => posts.list({ sort: "newest", limit: 9, search: [word] });
    expect([(await found("other")).length, (await found("words")).length]).toEqual([1, 0]);
  });

  test("finds the texts that a renderer has not tried, new posts first, each until it is saved", async () => {
    const database = await open();
    const { posts } = database;
    const authorId = await addUser(database, "author");
    const ids: number[] = [];
    for (const slug of ["a", "b", "c"]) ids.push(await addPost(database, authorId, slug, { content: slug }));
    const [a = 0, b = 0, c = 0] = ids;
    expect(await posts.textsToRender(1, 9)).toEqual([]);
    expect(await posts.textsToRender(2, 2)).toEqual([
      { postId: c, content: "c" },
      { postId: b, content: "b" },
    ]);
    const summary = { detectedLang: "en", excerpt: "c", readingMinutes: 1 };
    await posts.saveHtml(c, { content: "c", html: "<i>c</i>", renderer: 2, ...summary }, morning);
    expect(await posts.bySlug("c")).toMatchObject({ ...summary, lang: "en" });
    await posts.saveHtml(b, { content: "b", html: null, renderer: 2 }, morning);
    expect(await posts.textsToRender(2, 9)).toEqual([{ postId: a, content: "a" }]);
    expect(await posts.textOf(c)).toEqual({ content: "c", html: "<i>c</i>", renderer: 2 });
    expect(await posts.textOf(b)).toEqual({ content: "b", html: null, renderer: 2 });
  });

  test("does not save the HTML of a content that has changed meanwhile", async () => {
    const database = await open();
    const { posts } = database;
    const { postId } = await postOfAuthor(database);
    const before = { content: "Before.", html: "<p>Before.</p>", renderer: 2, excerpt: "Before." };
    await posts.saveHtml(postId, before, morning);
    expect(await posts.textOf(postId)).toEqual(textOf("Words."));
    expect(await posts.bySlug("post")).toMatchObject({ excerpt: null });
  });

  test("keeps the HTML of a change that saves the same HTML at another time", async () => {
    const database = await open();
    const { posts, transaction } = database;
    const { postId } = await postOfAuthor(database);
    const text = { ...textOf("Words."), content: "Words.\n" };
    const change = { title: "post", ...text, searchTitle: "post", searchContent: "words." };
    await transaction(() => posts.update(postId, change, morning + 5));
    expect(await posts.textOf(postId)).toEqual(text);
  });

  test("lists the newest posts first", async () => {
    const database = await open();
    const authorId = await addUser(database, "author");
    for (const slug of ["a", "b", "c"]) await addPost(database, authorId, slug, { createdAt: morning });
    const first = await database.posts.recent(2);
    expect(first.map(({ slug, updatedAt }) => [slug, updatedAt])).toEqual([
      ["c", morning],
      ["b", morning],
    ]);
    const { id = 0, publishedAt: at } = first[1] ?? {};
    expect((await database.posts.recent(2, { at: at ?? 0, id })).map(({ slug }) => slug)).toEqual(["a"]);
  });

  test("removes a post with its text and ratings", async () => {
    const database = await open();
    const { posts, ratings, tallies, transaction } = database;
    const { authorId, postId } = await postOfAuthor(database);
    const rater = await addUser(database, "rater");
    await transaction(async () => {
      await ratings.insert(rating(postId, rater));
      await ratings.insert(rating(postId, authorId));
      await ratings.remove(postId, authorId, { score: 4, createdAt: morning, window: null });
    });
    await transaction(() => posts.remove(postId));
    expect(await posts.idOf("post")).toBeUndefined();
    expect(await posts.textOf(postId)).toBeUndefined();
    expect(await posts.list({ sort: "top", limit: 9, search: ["words"] })).toEqual([]);
    expect(await ratings.anyRatedBy(rater)).toBeUndefined();
    expect(await ratings.days(postId)).toEqual([]);
    await expect(tallies.find(postId)).rejects.toThrow(`There is no post ${postId}.`);
  });
}
