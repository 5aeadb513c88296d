import sharp from "sharp";

/** A JPEG of 1,200 × 600 pixels. */
export function picture(): Promise<Buffer> {
  const lake = { width: 1_200, height: 600, channels: 3, background: "#356889" } as const;
  return sharp({ create: lake }).jpeg().toBuffer();
}

/** The same with as much detail as a photo. */
export async function photo(): Promise<Buffer> {
  const noise = { type: "gaussian", mean: 120, sigma: 60 } as const;
  const coarse = { width: 60, height: 30, channels: 3, background: "#356889", noise } as const;
  const shapes = await sharp({ create: coarse }).png().toBuffer();
  return sharp(shapes).resize(1_200, 600, { kernel: "cubic" }).jpeg().toBuffer();
}
