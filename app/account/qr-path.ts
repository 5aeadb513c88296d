import { encode } from "uqr";

/** The light margin that the standard wants, in modules. */
const border = 4;

/**
 * The dark modules of a QR code as one SVG path, and its width in modules.
 * The width includes the margin.
 */
export function qrPath(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: "M", border });
  const runs = data.flatMap((row, y) =>
    [
      ...row
        .map((dark) => (dark ? "1" : "0"))
        .join("")
        .matchAll(/1+/g),
    ].map(({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`),
  );
  return { size, path: runs.join("") };
}
