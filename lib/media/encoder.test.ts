import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import type { EncodedImage } from "./encode.ts";
import { createImageEncoder } from "./encoder.ts";

/** So long that a busy machine ends no image. */
const wallMaximumMs = 600_000;
const encoder = createImageEncoder({ wallMaximumMs });

function drawing(width: number, height: number) {
  return sharp({ create: { width, height, channels: 3, background: "#88aacc" } });
}

async function encode(bytes: Uint8Array): Promise<EncodedImage> {
  const outcome = await encoder.encode(bytes, "a");
  if (outcome.kind !== "encoded") throw new Error(outcome.kind);
  return outcome;
}

/** Frames that are black and white in turn. */
async function animation({ frames, width, height }: { frames: number; width: number; height: number }) {
  const pages = Array.from({ length: frames }, (_, index) =>
    sharp({ create: { width, height, channels: 3, background: index % 2 ? "#fff" : "#000" } })
      .png()
      .toBuffer(),
  );
  return sharp(await Promise.all(pages), { join: { animated: true } }).gif({
    delay: Array.from({ length: frames }, () => 40),
  });
}

test.each([
  ["jpeg", () => drawing(1_700, 850).jpeg().toBuffer()],
  ["png", () => drawing(1_700, 850).png().toBuffer()],
  ["webp", () => drawing(1_700, 850).webp().toBuffer()],
  ["avif", () => drawing(1_700, 850).avif({ effort: 0 }).toBuffer()],
  ["gif", () => drawing(1_700, 850).gif().toBuffer()],
])("makes three sizes in two types of a large %s", async (_, make) => {
  const { width, height, isAnimated, files } = await encode(await make());
  expect({ width, height, isAnimated }).toEqual({ width: 1600, height: 800, isAnimated: false });
  const made = await Promise.all(
    files.map(async ({ ending, bytes }) => {
      const { width, height, format } = await sharp(bytes).metadata();
      return [ending, `${width}x${height}.${format === "heif" ? "avif" : format}`];
    }),
  );
  expect(made.map(([ending]) => ending)).toEqual([
    "480x240.avif",
    "480x240.webp",
    "960x480.avif",
    "960x480.webp",
    "1600x800.avif",
    "1600x800.webp",
  ]);
  for (const [ending, found] of made) expect(found).toBe(ending);
});

test("turns a photo as its camera was held, and keeps nothing but pixels", async () => {
  const photo = await drawing(300, 200)
    .withExif({ IFD0: { Copyright: "me" }, IFD3: { GPSLatitude: "51/1 30/1 0/1" } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  expect((await sharp(photo).metadata()).exif).toBeDefined();
  const { width, height, files } = await encode(photo);
  expect({ width, height }).toEqual({ width: 200, height: 300 });
  for (const { bytes } of files) {
    const { exif, icc, xmp, iptc, orientation } = await sharp(bytes).metadata();
    expect({ exif, icc, xmp, iptc, orientation }).toEqual({});
  }
});

test("keeps a small image's size and its transparency", async () => {
  const small = { width: 20, height: 10, channels: 4, background: "#ff000000" } as const;
  const { files } = await encode(await sharp({ create: small }).png().toBuffer());
  expect(files.map(({ ending }) => ending)).toEqual(["20x10.avif", "20x10.webp"]);
  for (const { bytes } of files) expect((await sharp(bytes).stats()).isOpaque).toBe(false);
});

test("keeps a short animation's frames and their times, and makes stills of its first", async () => {
  const { files, isAnimated } = await encode(
    await (await animation({ frames: 5, width: 100, height: 50 })).toBuffer(),
  );
  expect(isAnimated).toBe(true);
  expect(files.map(({ ending }) => ending)).toEqual(["100x50.avif", "100x50.webp", "100x50-animated.webp"]);
  const moving = await sharp(files[2]?.bytes, { animated: true }).metadata();
  expect(moving).toMatchObject({ pages: 5, delay: [40, 40, 40, 40, 40] });
});

test("does not squeeze an animation with the mark of a turned camera", async () => {
  const turned = (await animation({ frames: 2, width: 100, height: 50 }))
    .withMetadata({ orientation: 6 })
    .webp({ delay: [40, 40] });
  const { files, ...size } = await encode(await turned.toBuffer());
  expect(size).toMatchObject({ width: 100, height: 50, isAnimated: true });
  expect(files.map(({ ending }) => ending)).toEqual(["100x50.avif", "100x50.webp", "100x50-animated.webp"]);
});

describe("refuses", () => {
  let jpeg: Buffer;
  beforeAll(async () => {
    jpeg = await drawing(200, 200).jpeg().toBuffer();
  });

  test.each<[string, () => Uint8Array | Promise<Uint8Array>]>([
    ["a program", () => Buffer.from("<script>alert(1)</script>")],
    ["an SVG", () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>')],
    ["a TIFF", () => drawing(9, 9).tiff().toBuffer()],
    ["a PDF", () => Buffer.from("%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>")],
    ["half an image", () => jpeg.subarray(0, jpeg.length / 2)],
    ["half a PNG", async () => half(await noise().png().toBuffer())],
    ["half a WebP", async () => half(await noise().webp().toBuffer())],
    ["half an AVIF", async () => half(await noise().avif({ effort: 0 }).toBuffer())],
    ["half a GIF", async () => half(await noise().gif().toBuffer())],
    ["the beginning of an image", () => jpeg.subarray(0, 10)],
    ["a PNG with a wrong size in its head", async () => damaged(await drawing(50, 50).png().toBuffer())],
  ])("%s as unreadable", async (_, make) => {
    expect(await encoder.encode(await make(), "a")).toEqual({ kind: "unreadable" });
  });

  test.each([
    ["a small PNG of 100 million pixels", () => drawing(10_000, 10_000).png().toBuffer()],
    ["a small WebP of 100 million pixels", () => drawing(10_000, 10_000).webp({ effort: 0 }).toBuffer()],
  ])("%s", async (_, make) => {
    expect(await encoder.encode(await make(), "a")).toEqual({ kind: "too-many-pixels" });
  });

  test("an animation of too many frames, and one of too many pixels", async () => {
    const many = await (await animation({ frames: 1_100, width: 8, height: 8 })).toBuffer();
    expect(await encoder.encode(many, "a")).toEqual({ kind: "animation-too-long" });
    const large = await (await animation({ frames: 80, width: 1_000, height: 1_000 })).toBuffer();
    expect(await encoder.encode(large, "a")).toEqual({ kind: "animation-too-long" });
  });
});

/** An image whose file is far larger than its head. */
function noise() {
  const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
  return sharp({ create: { width: 200, height: 200, channels: 3, background: "#000", noise } });
}

function half(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length / 2);
}

/** Changes a byte in the image's head, and leaves its checksum. */
function damaged(png: Buffer): Buffer {
  const copy = Buffer.from(png);
  copy.writeUInt8(255, 20);
  return copy;
}

test("takes an image with a program behind it, and leaves the program out", async () => {
  const program = Buffer.from("<script>alert(1)</script>");
  const both = Buffer.concat([await drawing(40, 30).jpeg().toBuffer(), program]);
  const { files } = await encode(both);
  for (const { bytes } of files) expect(Buffer.from(bytes).includes(program)).toBe(false);
});

test("ends the process of an image that takes too much memory or time", async () => {
  const image = await drawing(4_000, 4_000).png().toBuffer();
  const little = createImageEncoder({ memoryMaximumBytes: 1, wallMaximumMs });
  expect(await little.encode(image, "a")).toEqual({ kind: "too-many-pixels" });
  const short = createImageEncoder({ cpuMaximumMs: 1, wallMaximumMs });
  expect(await short.encode(image, "a")).toEqual({ kind: "too-many-pixels" });
  const stalled = createImageEncoder({ wallMaximumMs: 1 });
  expect(await stalled.encode(image, "a")).toEqual({ kind: "busy" });
});

test("is busy for an owner with too many images, and for all when too many wait", async () => {
  const { encode } = createImageEncoder({ imagesMaximum: 4, imagesPerOwner: 2, wallMaximumMs });
  const image = await drawing(10, 10).png().toBuffer();
  const kinds = ["a", "a", "a", "b", "c", "d"].map(async (owner) => (await encode(image, owner)).kind);
  expect(await Promise.all(kinds)).toEqual(["encoded", "encoded", "busy", "encoded", "encoded", "busy"]);
  expect((await encode(image, "a")).kind).toBe("encoded");
});
