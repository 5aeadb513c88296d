import { encode } from "uqr";
import { expect, test } from "vitest";
import { qrPath } from "./qr-path.ts";

test("draws the dark modules of a QR code, and no others, within a margin of four", () => {
  const text = "otpauth://totp/blog.example.org:alder?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
  const { size, path } = qrPath(text);
  const drawn = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    drawn[Number(y)]?.fill(true, Number(x), Number(x) + Number(length));
  expect(path.replaceAll(/M\d+ \d+h(\d+)v1h-\1z/g, "")).toBe("");
  expect(drawn).toEqual(encode(text, { ecc: "M", border: 4 }).data);
  const margin = (cells: readonly boolean[]) => cells.some(Boolean);
  expect(drawn.slice(0, 4).some(margin) || drawn.slice(-4).some(margin)).toBe(false);
  expect(drawn.some((row) => margin(row.slice(0, 4)) || margin(row.slice(-4)))).toBe(false);
});
