import fc from "fast-check";
import sharp from "sharp";
import { expect, test } from "vitest";
import { drawSocialImage } from "./draw.ts";
import { createSocialImages, imageSize, type SocialImage, versionOf } from "./index.ts";

const image: SocialImage = {
  siteName: "Weir",
  title: "What a weir does",
  lang: "en",
  author: "alder",
  score: { stars: 4.1, text: "4.1" },
  ratings: "1,572 ratings",
};

const paper = [0xfb, 0xfa, 0xf7];

const allowed = async () => true;

/** How many pixels of a part of the drawing have ink on them. */
async function inkOf(png: Buffer, part: { left: number; top: number; width: number; height: number }) {
  const { data, info } = await sharp(png)
    .removeAlpha()
    .extract(part)
    .raw()
    .toBuffer({ resolveWithObject: true });
  let ink = 0;
  for (let at = 0; at < data.length; at += info.channels)
    if (paper.some((value, channel) => Math.abs((data[at + channel] ?? 0) - value) > 40)) ink += 1;
  return ink;
}

const margins = [
  { left: 0, top: 0, width: 70, height: 630 },
  { left: 1130, top: 0, width: 70, height: 630 },
  { left: 0, top: 0, width: 1200, height: 40 },
  { left: 0, top: 620, width: 1200, height: 10 },
];

test.each([
  ["a title of 10,000 letters", { title: "An endless title ".repeat(600) }],
  ["a word of 10,000 letters", { title: "W".repeat(10_000) }],
  ["piles of combining marks", { title: `Z${"\u0310\u0311\u0312".repeat(3_000)}algo` }],
  ["Persian and English together", { title: "سدی بر رود: a weir, ۱۲ نکته (and more)" }],
  [
    "a chain of joined letters",
    { title: "क्".repeat(40), author: "क्".repeat(100), siteName: "ក្".repeat(100) },
  ],
  ["a chain longer than any image", { title: "क्".repeat(600) }],
  ["markup", { title: '<span size="999999">&amp; &bogus; </span>' }],
  ["control characters and a change of direction", { title: "a\u0000b\u001b\u202Eevil\u2028\ud800c" }],
  ["nothing that can be drawn", { title: "👩‍👩‍👧‍👦🇮🇷\u200b\u2800", author: "\u3164", siteName: " " }],
  ["long names", { siteName: "S".repeat(60), author: "M".repeat(500), ratings: "9".repeat(300) }],
])("draws %s within the margins", async (_, texts) => {
  const png = await drawSocialImage({ ...image, ...texts });
  const { format, width, height } = await sharp(png).metadata();
  expect({ format, width, height }).toEqual({ format: "png", ...imageSize });
  expect(png.length).toBeLessThan(100_000);
  for (const margin of margins) expect(await inkOf(png, margin)).toBe(0);
});

test("draws any texts", async () => {
  const text = fc.string({ unit: "binary", maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(
      fc.record({ siteName: text, title: text, author: text, ratings: text }),
      async (texts) => {
        expect((await drawSocialImage({ ...image, ...texts })).length).toBeGreaterThan(0);
      },
    ),
    { numRuns: 10 },
  );
});

test("sets a Persian title at the right, and its stars from the right", async () => {
  const left = { left: 80, top: 170, width: 400, height: 300 };
  const right = { ...left, left: 720 };
  const english = await drawSocialImage(image);
  const persian = await drawSocialImage({ ...image, title: "سدی بر رود", lang: "fa" });
  expect(await inkOf(english, left)).toBeGreaterThan(0);
  expect(await inkOf(english, right)).toBe(0);
  expect(await inkOf(persian, left)).toBe(0);
  expect(await inkOf(persian, right)).toBeGreaterThan(0);
});

test("sets a title by the post's language, whatever its first letter", async () => {
  const titled = (title: string, lang: string | null) => drawSocialImage({ ...image, title, lang });
  const left = { left: 80, top: 170, width: 400, height: 300 };
  const right = { ...left, left: 720 };
  const persian = await titled("Node چیست؟", "fa");
  expect(await inkOf(persian, left)).toBe(0);
  expect(await inkOf(persian, right)).toBeGreaterThan(0);
  // Its Latin word is the first, at the right.
  const word = { ...right, left: 960, width: 160 };
  const latin = await titled("Node", "fa");
  expect((await inkOf(persian, word)) / (await inkOf(latin, word))).toBeCloseTo(1, 1);
  const english = await titled("رود is a river", "en");
  expect(await inkOf(english, left)).toBeGreaterThan(0);
  expect(await inkOf(english, right)).toBe(0);
});

test("shows the site's name in place of a title in a script without a font", async () => {
  const withoutTitle = await drawSocialImage({ ...image, title: "" });
  for (const title of ["水门", "शिलालेख", "Մատենադարան", "What does 堰 mean?"])
    expect(await drawSocialImage({ ...image, title })).toEqual(withoutTitle);
  expect(await drawSocialImage({ ...image, title: "Ποταμός Река رود ۱۲ — “ok”?" })).not.toEqual(withoutTitle);
  const heading = { left: 80, top: 170, width: 1_040, height: 300 };
  expect(await inkOf(withoutTitle, heading)).toBeGreaterThan(0);
});

test("draws each image once, one at a time, and again after a failure", async () => {
  let running = 0;
  let drawn = 0;
  const images = createSocialImages({
    draw: async ({ title }) => {
      expect(running++).toBe(0);
      await new Promise(setImmediate);
      running -= 1;
      drawn += 1;
      if (title === "fails" && drawn === 3) throw new Error("no memory");
      return Buffer.from(title);
    },
  });
  const titled = (title: string) => images.find({ ...image, title }, allowed);
  const found = await Promise.all([titled("a"), titled("b"), titled("a")]);
  expect(found.map(String)).toEqual(["a", "b", "a"]);
  expect(String(await titled("b"))).toBe("b");
  expect(drawn).toBe(2);
  await expect(titled("fails")).rejects.toThrow("no memory");
  expect(String(await titled("fails"))).toBe("fails");
});

test("is busy when too many images wait, and keeps no more bytes than its maximum", async () => {
  let drawn = 0;
  const images = createSocialImages({
    waitingMaximum: 2,
    bytesMaximum: 25,
    draw: async () => {
      drawn += 1;
      return Buffer.alloc(10);
    },
  });
  const titled = (title: string) => images.find({ ...image, title }, allowed);
  const answers = await Promise.all([titled("a"), titled("b"), titled("c"), titled("a")]);
  expect(answers.map((answer) => answer === "busy")).toEqual([false, false, true, false]);
  await titled("c");
  await titled("b");
  expect(drawn).toBe(3);
  await titled("a");
  expect(drawn).toBe(4);
});

test("counts an image for its client only when it must be drawn", async () => {
  const images = createSocialImages({ waitingMaximum: 1, draw: async () => Buffer.from("png") });
  const counted: string[] = [];
  const find = (title: string, client: string, isAllowed = true) =>
    images.find({ ...image, title }, async () => {
      counted.push(`${title} for ${client}`);
      return isAllowed;
    });
  const answers = await Promise.all([find("a", "one"), find("a", "two"), find("b", "busy")]);
  expect(answers.map(String)).toEqual(["png", "png", "busy"]);
  expect(String(await find("a", "late"))).toBe("png");
  expect(counted).toEqual(["a for one"]);
  // A client whose limit is reached does not decide for another one.
  const both = await Promise.all([find("c", "refused", false), find("c", "allowed")]);
  expect(both.map(String)).toEqual(["busy", "png"]);
  expect(counted).toEqual(["a for one", "c for refused", "c for allowed"]);
});

test("has another version when the image shows something else", () => {
  expect(versionOf({ ...image })).toBe(versionOf(image));
  expect(versionOf({ ...image, ratings: "1,573 ratings" })).not.toBe(versionOf(image));
});
