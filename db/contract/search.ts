import { expect, test } from "vitest";
import type { Database } from "../index.ts";
import { foldForSearch } from "../search-text.ts";
import { addUser, morning, type Open, textOf } from "./setting.ts";

/** Saves posts whose contents are these, folded, as the app does. */
export async function addTexts(database: Database, texts: readonly string[]): Promise<void> {
  const authorId = await addUser(database, "author");
  for (const [index, content] of texts.entries())
    await database.transaction(() =>
      database.posts.insert({
        slug: `${index}`,
        title: "Title",
        ...textOf(content),
        searchTitle: foldForSearch("Title"),
        searchContent: foldForSearch(content),
        authorId,
        createdAt: morning,
      }),
    );
}

/** Which of the texts have these folded words. */
export async function found(database: Database, search: readonly string[]): Promise<number[]> {
  const posts = await database.posts.list({ sort: "newest", limit: 1_000, search });
  return posts.map(({ slug }) => Number(slug)).sort((a, b) => a - b);
}

export function searchContract(open: Open): void {
  test.each<[title: string, texts: string[], search: string[], expected: number[]]>([
    ["all words, in any order", ["red apple", "apple", "apple, red"], ["apple", "red"], [0, 2]],
    ["the last as a beginning", ["weirdly", "weir", "wei"], ["weir"], [0, 1]],
    ["no other as a beginning", ["weirdly so", "weir so"], ["weir", "so"], [1]],
    ["the title as well", ["a"], ["title", "a"], [0]],
    ["without marks on Latin letters", ["Café Ếlan", "cafe"], ["cafe"], [0, 1]],
    ["Persian and Arabic letters and digits", ["كتاب ۱۲", "کتاب 12"], ["کتاب", "12"], [0, 1]],
    ["Hebrew", ["שלום עולם", "עולם"], ["שלום"], [0]],
    ["Chinese runs from their beginning", ["中文字", "文字"], ["中文"], [0]],
    ["Devanagari words whole", ["हिन्दी", "द न ह", "न हिन्दू"], ["हिन्दी"], [0, 2]],
    ["no word across two", ["हन दी"], ["हन्दी"], [0]],
    ["letters beyond 16 bits", ["\u{10330}\u{10331} x"], ["\u{10330}"], [0]],
    ["words that are operators elsewhere", ["and or not near", "and"], ["not", "and"], [0]],
    ["nothing where a word is only marks", ["a"], ["\u0301"], []],
    ["the other words where one is only marks", ["a b", "b"], ["a", "\u093F"], [0]],
  ])("Search finds %s", async (_, texts, search, expected) => {
    const database = await open();
    await addTexts(database, texts);
    expect(await found(database, search)).toEqual(expected);
  });

  test("finds words of any length, anywhere in the longest texts", async () => {
    const database = await open();
    const long = "x".repeat(20_000);
    const hindi = Array.from({ length: 9_000 }, () => "कि").join(" ");
    await addTexts(database, [`${long}y`, long, `${hindi} किम`, `${"a ".repeat(24_000)}end`]);
    expect(await found(database, [long])).toEqual([0, 1]);
    expect(await found(database, [long, "title"])).toEqual([1]);
    expect(await found(database, [`${long}y`])).toEqual([0]);
    expect(await found(database, ["किम"])).toEqual([2]);
    expect(await found(database, ["end"])).toEqual([3]);
  });
}
