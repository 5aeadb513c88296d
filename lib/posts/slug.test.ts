import fc from "fast-check";
import { expect, test } from "vitest";
import { textFromPath } from "../paths.ts";
import { chosenSlug, formerSlug, freeSlug, importedSlug, slugFrom, tagSlugFrom } from "./slug.ts";

test.each([
  ["What a weir does", "what-a-weir-does"],
  ["  Rivers, canals & locks!  ", "rivers-canals-locks"],
  ["The lock-keeper's daughter’s boat", "the-lock-keepers-daughters-boat"],
  ["ÉCLUSES — été 2025", "écluses-été-2025"],
  ["Straße", "straße"],
  ["ﬁne ﬂow №5", "fine-flow-no5"],
  ["آب و رودخانه", "آب-و-رودخانه"],
  ["می‌رود و می‌ماند", "می-رود-و-می-ماند"],
  ["قياس الماء في القنوات", "قياس-الماء-في-القنوات"],
  ["سال ۱۴۰۴", "سال-۱۴۰۴"],
  ["水位の測り方", "水位の測り方"],
  ["नदी और बाँध", "नदी-और-बाँध"],
  ["🌊 Floods 🌊", "floods"],
  ["1️⃣ first", "1-first"],
  ["Donau\u00ADdampf\u00ADschiff", "donaudampfschiff"],
  ["İstanbul'da su", "i̇stanbulda-su"],
])("%s becomes %s", (title, slug) => {
  expect(slugFrom(title)).toBe(slug.normalize("NFC"));
});

test.each([
  ["C", "c"],
  ["C++", "c-plus-plus"],
  ["C#", "c-sharp"],
  ["Ｃ＃", "c-sharp"],
  ["F# 5", "f-sharp-5"],
  ["#water", "water"],
  ["Node.js", "node-js"],
  ["R&D", "r-d"],
])("the tag %s has the slug %s", (name, slug) => {
  expect(tagSlugFrom(name)).toBe(slug);
});

test.each([["🌊"], ["❤️"], ["👩‍🌾👨‍👩‍👧"], ["—…!"], ["\u0301"], ["\u200C\u200D"], [""]])(
  "a title without a letter or digit (%j) becomes post",
  (title) => expect(slugFrom(title)).toBe("post"),
);

test.each([
  ["release_notes_1.2", "release_notes_1.2"],
  ["Release_Notes", "release_notes"],
  ["a--b", "a--b"],
  ["_private", "_private"],
  ["don’t", "dont"],
  ["..", "post"],
  [".env", "env"],
  ["a..b", "a-b"],
  ["-a", "a"],
  ["a/b.", "a-b"],
  ["___", "post"],
])("an imported slug %s becomes %s", (given, slug) => {
  expect(importedSlug(given)).toBe(slug);
  if (slug !== "post") expect(chosenSlug(given)).toBe(slug);
});

test.each(["", ".", "..", "new", "a b", "a/b", "a?b", "a%20b", "a\\b", "a\nb", "\uD800", "x".repeat(501)])(
  "%j is no former slug",
  (text) => expect(formerSlug(text)).toBeUndefined(),
);

test("makes the same slug of composed and decomposed letters", () => {
  expect(slugFrom("Cafe\u0301 de\u0301bit")).toBe(slugFrom("Caf\u00E9 d\u00E9bit"));
  expect(slugFrom("Cafe\u034F\u0301")).toBe("caf\u00E9");
});

test("cuts a long title between words, and a single long word between characters", () => {
  expect(slugFrom("water ".repeat(50))).toBe(Array(13).fill("water").join("-"));
  expect(slugFrom("𠮷".repeat(200))).toBe("𠮷".repeat(40));
  expect(slugFrom("x".repeat(200))).toBe("x".repeat(80));
});

test("makes of any title a slug that is valid in an address, not empty and not too long", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (title) => {
      const slug = slugFrom(title);
      expect(slug.length).toBeGreaterThan(0);
      expect(slug.length).toBeLessThanOrEqual(80);
      expect(slug).not.toMatch(/[\s/\\?#%.]/u);
      expect(textFromPath(encodeURIComponent(slug))).toBe(slug);
    }),
    { numRuns: 2_000, seed: 1 },
  );
});

test("appends a number to a slug in use, later a random suffix, and reserves the app's own addresses", async () => {
  const taken = new Set<string>();
  const next = async () => {
    const slug = await freeSlug("water", async (candidate) => taken.has(candidate));
    taken.add(slug);
    return slug;
  };
  const slugs = [];
  for (let number = 1; number <= 9; number += 1) slugs.push(await next());
  expect(slugs).toEqual(["water", ...[2, 3, 4, 5, 6, 7, 8, 9].map((n) => `water-${n}`)]);
  expect(await next()).toMatch(/^water-[0-9a-f]{8}$/);
  expect(await freeSlug("new", async () => false)).toBe("new-2");
});
