import { expect, test } from "vitest";
import { type Flag, placeFlags } from "./labels";
import { placeEndTexts } from "./lines";

const flag = (at: number, number: number, isHeld = false): Flag => ({
  from: at,
  to: at + 0.1,
  texts: [`Flood ${number}: 5,000 held`, `Flood ${number} held`, String(number)],
  isHeld,
});
const textsOf = (flags: Flag[]) =>
  placeFlags(flags)
    .map(({ text }) => text)
    .sort();

test("a label stands after its pole, or before it where the edge is near", () => {
  expect(placeFlags([flag(5, 1)])).toMatchObject([{ side: "left", at: 5, row: 0 }]);
  expect(placeFlags([flag(94, 1)])).toMatchObject([{ side: "right", at: 94.1, row: 0 }]);
});

test.each([2, 20, 30, 75, 94])("two windows side by side at %i % are both labelled in full", (at) => {
  expect(textsOf([flag(at, 1), flag(at + 3, 2)])).toEqual(["Flood 1: 5,000 held", "Flood 2: 5,000 held"]);
});

test("where not all labels fit, they are shorter, and those of held windows are not left out", () => {
  const crowd = Array.from({ length: 30 }, (_, index) => flag(index * 3, index + 1, index % 10 === 5));
  const labels = placeFlags(crowd);
  expect(labels.filter(({ isHeld }) => isHeld)).toHaveLength(3);
  expect(labels.length).toBeGreaterThan(10);
});

test("texts at the ends of lines that lie together are moved apart, in the lines' order", () => {
  const places = placeEndTexts([{ y: 100 }, { y: 96 }, { y: 20 }]).map(({ y }) => y);
  expect(places).toEqual([20, 89, 107]);
});

test("texts at the ends of lines far apart stay beside them", () => {
  expect(placeEndTexts([{ y: 80 }, { y: 20 }])).toEqual([{ y: 20 }, { y: 80 }]);
});
