import fc from "fast-check";
import { expect, test } from "vitest";
import { listPosts } from "../lib/posts/index.ts";
import { addPost, addUser, morning } from "../testing/content.ts";
import { temporaryDatabase } from "../testing/database.ts";
import { foldForSearch, searchWords } from "./search-text.ts";

test.each([
  ["ي and ى and ئ", "علي", "علی"],
  ["ك", "كتاب", "کتاب"],
  ["alef with hamza or madda", "أنهار آب إقليم", "انهار اب اقلیم"],
  ["teh marbuta", "بحيرة", "بحیره"],
  ["vowel signs and tatweel", "نَهْـــرٌ", "نهر"],
  ["Persian digits", "۱۲۳", "123"],
  ["Arabic digits", "١٢٣", "123"],
  ["presentation forms", "ﻻ", "لا"],
  ["the zero-width non-joiner", "می\u200Cرود", "می رود"],
  ["invisible marks", "\u202Bwa\u00ADter\u200F", "water"],
  ["case and width", "ＷＡＴＥＲ", "water"],
  ["ligatures", "ﬂow", "flow"],
])("%s is folded", (_, text, folded) => {
  expect(foldForSearch(text)).toBe(folded);
});

test("is idempotent", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const once = foldForSearch(text);
      expect(searchWords(once)).toEqual(searchWords(text));
    }),
    { numRuns: 500, seed: 1 },
  );
});

async function titlesFound(titles: readonly string[]) {
  const database = temporaryDatabase();
  const author = await addUser(database, "author");
  for (const [index, title] of titles.entries())
    await addPost(database, author, { title, content: `Text ${index}`, now: morning + index * 1e6 });
  return async (search: string) =>
    (await listPosts({ database }, { sort: "newest", limit: 50, search }))?.items.map(({ title }) => title);
}

test("finds a post across keyboards of writer and reader", async () => {
  const titles = [
    "كتاب عن الأنهار ١٢٣",
    "کتاب‌های رودخانه ۴۵۶",
    "نَهْرُ دِجلة",
    "Écluses et débits 789",
    "Straße am Fluß",
  ];
  const found = await titlesFound(titles);
  const [arabic, persian, marked, french, german] = titles;
  for (const search of ["کتاب عن", "كتاب عن", "الانهار 123", "الأنهار ۱۲۳", "١٢٣"])
    expect(await found(search)).toEqual([arabic]);
  for (const search of ["كتاب هاي", "کتاب‌های", "کتاب های", "رودخانه 456", "۴۵۶", "٤٥٦"])
    expect(await found(search)).toEqual([persian]);
  for (const search of ["نهر دجله", "نَهر", "دجلة"]) expect(await found(search)).toEqual([marked]);
  for (const search of ["ecluses", "ÉCLUSES", "e\u0301cluses debits", "debit"])
    expect(await found(search)).toEqual([french]);
  expect(await found("straße")).toEqual([german]);
  expect(await found("كتاب")).toEqual([persian, arabic]);
});

test("requires every word, in any order, the last one as a prefix", async () => {
  const found = await titlesFound(["Water over a weir", "Water under a bridge"]);
  expect(await found("weir water")).toEqual(["Water over a weir"]);
  expect(await found("water bri")).toEqual(["Water under a bridge"]);
  expect(await found("wat bridge")).toEqual([]);
  expect(await found("text")).toHaveLength(2);
});

test("finds all posts for an empty query, and none for one without searchable characters", async () => {
  const found = await titlesFound(["One", "Two"]);
  for (const search of ["", "   ", "\t"]) expect(await found(search)).toHaveLength(2);
  for (const search of ["—", "***", '"', "🌊", "\u0301", "\uD800"]) expect(await found(search)).toEqual([]);
});

test("treats operators of the search language as text", async () => {
  const found = await titlesFound(["Weirs AND locks NOT mills", "Near: a title* with (signs)"]);
  for (const search of [
    "weirs AND locks",
    "locks NOT mills",
    '"weirs',
    'weirs"*',
    "title:weirs",
    "{title content}: weirs",
    "weirs OR",
    "NEAR(weirs locks, 2)",
    "^weirs",
    "weirs + locks",
    "-weirs",
    "weirs'; drop table posts; --",
    "weirs \u0000 locks",
  ])
    expect(await found(search), search).toBeDefined();
  expect(await found("locks NOT mills")).toEqual(["Weirs AND locks NOT mills"]);
  expect(await found('weirs"*')).toEqual(["Weirs AND locks NOT mills"]);
  expect(await found("near (signs)")).toEqual(["Near: a title* with (signs)"]);
});

test("handles any query", async () => {
  const found = await titlesFound(["Weirs and locks", "آب و رودخانه"]);
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", maxLength: 40 }), async (search) => {
      expect(await found(search)).toBeDefined();
      expect(await found(`weirs ${search}`)).toBeDefined();
    }),
    { numRuns: 1_000, seed: 1 },
  );
  expect(await found("x".repeat(5_000_000))).toEqual([]);
  expect(await found("x ".repeat(2_500_000))).toEqual([]);
});

test("finds a changed post by its new words only, and a deleted one not at all", async () => {
  const database = temporaryDatabase();
  const author = await addUser(database, "author");
  const { id } = await addPost(database, author, { title: "Weirs", content: "About weirs." });
  const count = async (search: string) =>
    (await listPosts({ database }, { sort: "newest", limit: 9, search }))?.items.length;
  const text = {
    title: "Locks",
    content: "About locks.",
    html: "<p>About locks.</p>",
    renderer: 1,
    searchTitle: "locks",
    searchContent: "about locks",
  };
  await database.transaction(() => database.posts.update(id, text, morning));
  expect([await count("weirs"), await count("locks")]).toEqual([0, 1]);
  await database.transaction(() => database.users.remove(author.id));
  expect(await count("locks")).toBe(0);
  expect(
    database.sqlite.prepare("select rowid from posts_search where posts_search match 'locks'").all(),
  ).toEqual([]);
});
