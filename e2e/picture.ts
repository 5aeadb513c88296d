import sharp from "sharp";

/** A JPEG of 1,200 × 600 pixels. */
export function picture(): Promise<Buffer> {
  const lake = { width: 1_200, height: 600, channels: 3, background: "#356889" } as const;
  return sharp({ create: lake }).jpeg().toBuffer();
}
