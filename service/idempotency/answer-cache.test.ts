import { expect, test } from "vitest";
import { manualClock } from "../../testing/manual-clock.ts";
import { type AnswerCacheSettings, createAnswerCache } from "./answer-cache.ts";

function cache(settings: AnswerCacheSettings = {}) {
  const { clock, pass } = manualClock(0);
  return { ...createAnswerCache({ clock, keptMs: 1_000, ...settings }), pass };
}

const textOf = (id: string | number, error = "") => JSON.stringify({ error, id });

test("returns the newest answer with an id, among others of the same hash", () => {
  const { add, find, size } = cache();
  const hash = -7;
  for (const id of ["a", "1", 1, "a", "b"]) add(hash, size(), textOf(id));
  expect(find("a", hash)).toEqual({ answer: { error: "", id: "a" }, text: textOf("a"), fingerprint: 3 });
  expect(find("1", hash)).toMatchObject({ answer: { id: "1" }, fingerprint: 1 });
  expect(find(1, hash)).toMatchObject({ answer: { id: 1 }, fingerprint: 2 });
  expect(find("c", hash)).toBeUndefined();
  expect(find("a", hash + 2 ** 20)).toBeUndefined();
});

test("returns text of any language as it was", () => {
  const { add, find } = cache();
  const text = textOf("ä ∞ 語 🌊", "é".repeat(5_000));
  add(1, 2, text);
  expect(find("ä ∞ 語 🌊", 1)?.text).toBe(text);
});

test("keeps an answer for its time, and frees the memory of those that have expired", () => {
  const { add, find, size, pass } = cache({ chunkBytes: 800 });
  for (let id = 0; id < 100; id += 1) add(id, 0, textOf(id));
  pass(999);
  expect(find(0, 0)).toBeDefined();
  pass(1);
  expect(find(99, 99)).toBeUndefined();
  add(100, 0, textOf(100));
  expect(size()).toBe(1);
});

test("keeps the answers of a chunk while the next is filled, also in memory of chunks that have expired", () => {
  const { add, find, pass } = cache({ chunkBytes: 800 });
  const fill = (from: number) => {
    for (let id = from; id < from + 30; id += 1) add(id, 0, textOf(id));
  };
  fill(0);
  pass(1_000);
  fill(100);
  for (let id = 100; id < 130; id += 1) expect(find(id, id)).toMatchObject({ answer: { id } });
});

test("drops the oldest answers beyond the maximum size, and finds the others across all chunks", () => {
  const { add, find, size } = cache({ chunkBytes: 800, maximumBytes: 8_000 });
  // All in one bucket.
  const hash = 5;
  for (let id = 0; id < 1_000; id += 1) add(hash, id, textOf(id));
  expect(size()).toBeGreaterThan(50);
  expect(size()).toBeLessThan(8_000 / 40);
  for (let id = 1_000 - 50; id < 1_000; id += 1) expect(find(id, hash)).toMatchObject({ fingerprint: id });
  expect(find(0, hash)).toBeUndefined();
});

test("keeps no answer that is longer than a chunk", () => {
  const { add, find, size } = cache({ chunkBytes: 800 });
  add(1, 0, textOf("long", "x".repeat(800)));
  expect(find("long", 1)).toBeUndefined();
  expect(size()).toBe(0);
});
