import { expect, test } from "vitest";
import { textsOfOneFnvBucket } from "../../testing/colliding-texts.ts";
import { halfSipHash } from "./half-sip-hash.ts";

/** The text of the bytes 0, 1, 2 … */
const textOfBytes = (bytes: number) =>
  Buffer.from(Array.from({ length: bytes }, (_, index) => index)).toString("utf16le");

// The values of Linux (lib/tests/siphash_kunit.c) for HalfSipHash-1-3 with 32-bit words.
test.each([
  { bytes: 0, hash: 0x5814c896 },
  { bytes: 2, hash: 0xbc4b0e30 },
  { bytes: 4, hash: 0x7e059ea6 },
  { bytes: 6, hash: 0xa0080b65 },
  { bytes: 12, hash: 0x6b28096c },
  { bytes: 16, hash: 0x8b31d501 },
])("returns the published value for $bytes bytes", ({ bytes, hash }) => {
  expect(halfSipHash([0x03020100, 0x07060504], textOfBytes(bytes)) >>> 0).toBe(hash);
});

test("spreads texts that share the low 16 bits of FNV-1a under each start value", () => {
  const key = [0x12345678, -2] as const;
  const buckets = new Set(textsOfOneFnvBucket(12).map((text) => halfSipHash(key, text) & 0xffff));
  expect(buckets.size).toBeGreaterThan(3_800);
});
