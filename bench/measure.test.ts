import { expect, test } from "vitest";
import { inTurns, inverseOf, ratioOf, speedOf } from "./measure.ts";

test("the sides take turns, every other round backwards, and the first rounds do not count", async () => {
  const order: string[] = [];
  const side = (name: string) => () => order.push(name);
  const speeds = await inTurns(2, { a: side("a"), b: side("b") });
  expect(order).toEqual(["a", "b", "b", "a", "a", "b"]);
  expect(speeds).toEqual({ a: [4, 5], b: [3, 6] });
  expect(await inTurns(1, { a: side("a") }, 3)).toEqual({ a: [10] });
});

test("a round does its work one piece after the other, whether a piece is awaited or done at once", async () => {
  const order: string[] = [];
  const speed = await speedOf(4, (index) => {
    order.push(`begins ${index}`);
    if (index % 2 === 0) return Promise.resolve().then(() => void order.push(`ends ${index}`));
    order.push(`ends ${index}`);
  });
  expect(order).toEqual([0, 1, 2, 3].flatMap((index) => [`begins ${index}`, `ends ${index}`]));
  expect(speed).toBeGreaterThan(0);
});

test("a ratio compares results of the same round, so a slow spell changes nothing", () => {
  const { median, low, high } = ratioOf([10, 1, 20, 5], [20, 2, 40, 10]);
  expect([median, low, high]).toEqual([0.5, 0.5, 0.5]);
});

test("a ratio is the middle one, with the middle half around it", () => {
  expect(ratioOf([5, 1, 4, 2, 3], [1, 1, 1, 1, 1])).toEqual({ median: 3, low: 2, high: 4 });
  expect(ratioOf([1, 2], [1, 1]).median).toBe(1.5);
});

test("As many times as fast is the inverse of as many times as long", () => {
  expect(inverseOf({ median: 2, low: 1, high: 4 })).toEqual({ median: 0.5, low: 0.25, high: 1 });
});
