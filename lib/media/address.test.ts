import { expect, test } from "vitest";
import { filesOf, imageAddress, imageAt, markdownOf, namesIn, sizesOf, within } from "./address.ts";

const name = "0123456789abcdefghijklmno";
const image = { name, width: 1600, height: 900, isAnimated: false };

test("an address has all that is known of an image's files", () => {
  expect(imageAt(imageAddress(image))).toEqual(image);
  const moving = { ...image, width: 960, height: 540, isAnimated: true };
  expect(imageAt(imageAddress(moving))).toEqual(moving);
  expect(filesOf(moving)).toEqual([
    `${name}-480x270.avif`,
    `${name}-480x270.webp`,
    `${name}-960x540.avif`,
    `${name}-960x540.webp`,
    `${name}-960x540-animated.webp`,
  ]);
});

test.each([
  `/media/${name}-1600x900.avif`,
  `/media/${name}-0x900.webp`,
  `/media/${name.toUpperCase()}-1600x900.webp`,
  `/media/../${name}-1600x900.webp`,
  `https://example.org/media/${name}-1600x900.webp`,
  `/media/${name}-1600x900.webp?x`,
])("%s is not the address of an image", (address) => expect(imageAt(address)).toBeUndefined());

test("sizes keep the shape, and are never larger than the image", () => {
  expect(sizesOf({ width: 1600, height: 900 })).toEqual([
    { width: 480, height: 270 },
    { width: 960, height: 540 },
    { width: 1600, height: 900 },
  ]);
  expect(sizesOf({ width: 480, height: 3 })).toEqual([{ width: 480, height: 3 }]);
  expect(sizesOf({ width: 1000, height: 1 })[0]).toEqual({ width: 480, height: 1 });
  expect(within({ width: 100, height: 50 }, { width: 1600, height: 4800 })).toEqual({
    width: 100,
    height: 50,
  });
  expect(within({ width: 30_000, height: 1 }, { width: 1600, height: 4800 })).toEqual({
    width: 1600,
    height: 1,
  });
});

test("Markdown of an image shows its description as it is", () => {
  expect(markdownOf({ ...image, alt: "A [wall] *here*" })).toBe(
    `![A \\[wall\\] \\*here\\*](/media/${name}-1600x900.webp)`,
  );
});

test("finds each image of a text once", () => {
  const other = "z".repeat(25);
  const text = `![a](/media/${name}-1600x900.webp) [b](/media/${name}-480x270.webp) </media/${other}-1x1.webp>`;
  expect(namesIn(text)).toEqual([name, other]);
});
