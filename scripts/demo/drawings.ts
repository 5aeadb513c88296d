/** The demo's images: drawn here, and prepared as uploads are. */
import { createHash } from "node:crypto";
import sharp from "sharp";
import type { ImageShape } from "../../lib/media/address.ts";
import { createImageEncoder } from "../../lib/media/encoder.ts";
import type { MediaFolder } from "../../lib/media/folder.ts";

const width = 1600;
const height = 900;
const logoSize = { width: 484, height: 112 };

export type DrawingName = keyof typeof drawings;

export interface DrawnImage extends ImageShape {
  alt: string;
  bytes: number;
}

const drawings = {
  weir: {
    alt: "A drawing of a low weir across a wide river: still water above it, white water below, hills behind.",
    shapes: () => [
      rectangle(0, "#e6e2d6"),
      land(330, 60, 900, 0.4, "#b9c7c1"),
      land(400, 45, 620, 2.1, "#8ea79a"),
      rectangle(470, "#8db2c4"),
      ...lines(485, 560, 12, "#b7d0db"),
      rectangle(575, "#eef4f5", 10),
      rectangle(585, "#a9c8d4", 120),
      ...streaks(585, 700, "#e9f2f4"),
      rectangle(705, "#5f8fa8"),
      ...foam(720),
      ...lines(760, 890, 14, "#86adc0"),
    ],
  },
  pond: {
    alt: "A drawing of a small round pond in a meadow, with reeds at its edge.",
    shapes: () => [
      rectangle(0, "#dfe8ea"),
      land(260, 40, 700, 1, "#a8bf9a"),
      rectangle(330, "#86a873"),
      '<ellipse cx="820" cy="620" rx="560" ry="190" fill="#6b8f5c"/>',
      '<ellipse cx="820" cy="610" rx="530" ry="170" fill="#7fa9bd"/>',
      '<ellipse cx="760" cy="570" rx="300" ry="50" fill="#a9c8d6"/>',
      ...reeds(330, 470),
      ...reeds(1210, 500),
    ],
  },
  qanat: {
    alt: "نقاشی برش زمین با یک قنات: مادرچاه در دامنهٔ کوه، میله‌چاه‌ها، و دهلیزی که آب را به درختان روستا می‌رساند.",
    shapes: () => [
      rectangle(0, "#efe6d2"),
      '<path d="M0 330 L1600 640 V900 H0 Z" fill="#d2b789"/>',
      '<path d="M0 330 L240 130 L470 421 Z" fill="#b39a78"/>',
      '<path d="M0 540 L640 606 L640 690 L0 690 Z" fill="#8fb0bc"/>',
      '<path d="M0 690 H1600 V900 H0 Z" fill="#b89968"/>',
      '<path d="M330 600 L1500 622" stroke="#6e5a3c" stroke-width="34" fill="none"/>',
      '<path d="M330 610 L1600 634" stroke="#5f97b3" stroke-width="14" fill="none"/>',
      ...[0, 1, 2, 3, 4].map((shaft) => {
        const x = 350 + shaft * 210;
        const top = 330 + (x * 310) / 1600;
        return `<path d="M${x} ${top} V605" stroke="#6e5a3c" stroke-width="16"/><ellipse cx="${x}" cy="${top}" rx="34" ry="12" fill="#9c8157"/>`;
      }),
      ...[1440, 1500, 1560].map(
        (x) =>
          `<path d="M${x} 620 V520" stroke="#6b5236" stroke-width="12"/><circle cx="${x}" cy="490" r="46" fill="#6f8f55"/>`,
      ),
    ],
  },
  logo: { alt: "", size: logoSize, shapes: () => logo("#1f6b66") },
  darkLogo: { alt: "", size: logoSize, shapes: () => logo("#7fc8c0") },
  icon: {
    alt: "",
    size: { width: 512, height: 512 },
    shapes: () => [
      '<rect width="512" height="512" rx="96" fill="#1f6b66"/>',
      '<g fill="none" stroke="#eef4f3" stroke-width="36" stroke-linecap="round">',
      '<path d="M80 190 H250 C300 190 290 330 340 330 H432"/>',
      '<path d="M80 410 q44 -36 88 0 t88 0 t88 0 t88 0"/></g>',
    ],
  },
} as const satisfies Record<
  string,
  { alt: string; shapes: () => readonly string[]; size?: { width: number; height: number } }
>;

/** The words Still Water. */
function logo(colour: string): string[] {
  return [
    `<g transform="translate(-11 0)" fill="none" stroke="${colour}" stroke-width="9" stroke-linecap="round" stroke-linejoin="round">`,
    '<path d="M60 28 C50 12 20 16 20 37 C20 58 62 46 62 69 C62 92 25 92 16 75"/>',
    '<path d="M85 20 V75 C85 88 95 90 102 86 M72 42 H104 M122 42 V86 M122 22 V24"/>',
    '<path d="M142 14 V86 M162 14 V86 M205 18 L222 86 L242 34 L262 86 L279 18"/>',
    '<circle cx="312" cy="64" r="22"/><path d="M334 42 V86"/>',
    '<path d="M358 20 V75 C358 88 368 90 375 86 M345 42 H377"/>',
    '<path d="M394 64 H438 C438 34 394 34 394 64 C394 92 426 94 436 76"/>',
    '<path d="M462 42 V86 M462 60 C466 44 480 40 490 44"/>',
    '<path d="M16 104 q16 -10 32 0 t32 0 t32 0 t32 0 t32 0" stroke-width="5"/></g>',
  ];
}

/** From a height down: to the lower edge unless a height is given. */
function rectangle(top: number, colour: string, tall = height - top): string {
  return `<rect y="${top}" width="${width}" height="${tall}" fill="${colour}"/>`;
}

/** Hills whose crests follow a sine. */
function land(top: number, rise: number, length: number, phase: number, colour: string): string {
  const crest = Array.from({ length: 41 }, (_, step) => {
    const x = (width * step) / 40;
    return `${x} ${Math.round(top + rise * Math.sin(phase + (2 * Math.PI * x) / length))}`;
  });
  return `<path d="M${crest.join(" L")} V${height} H0 Z" fill="${colour}"/>`;
}

/** Short level strokes, as on calm water. */
function lines(from: number, to: number, count: number, colour: string): string[] {
  return Array.from({ length: count }, (_, index) => {
    const y = Math.round(from + ((to - from) * index) / count);
    const x = (index * 613) % 1300;
    return `<path d="M${x} ${y} h${120 + ((index * 97) % 180)}" stroke="${colour}" stroke-width="4"/>`;
  });
}

/** Falling water. */
function streaks(from: number, to: number, colour: string): string[] {
  return Array.from(
    { length: 64 },
    (_, index) =>
      `<path d="M${index * 25 + ((index * 7) % 13)} ${from} V${to - ((index * 31) % 40)}" stroke="${colour}" stroke-width="${4 + (index % 3) * 3}"/>`,
  );
}

function foam(y: number): string[] {
  return Array.from(
    { length: 40 },
    (_, index) =>
      `<ellipse cx="${index * 41}" cy="${y + ((index * 17) % 22)}" rx="${30 + ((index * 13) % 20)}" ry="12" fill="#f3f7f8"/>`,
  );
}

function reeds(x: number, y: number): string[] {
  return Array.from({ length: 9 }, (_, index) => {
    const [left, top] = [x + index * 16, y - 60 - ((index * 37) % 90)];
    return `<path d="M${left} ${y + 160} Q${left + 6} ${y + 40} ${left + 3} ${top}" stroke="#5d7a3f" stroke-width="6" fill="none"/><ellipse cx="${left + 3}" cy="${top}" rx="8" ry="28" fill="#7a5a35"/>`;
  });
}

/** Draws the images and writes their files; their names are the same each time. */
export async function drawImages(folder: MediaFolder): Promise<Map<DrawingName, DrawnImage>> {
  const encoder = createImageEncoder();
  const images = new Map<DrawingName, DrawnImage>();
  await folder.prepare();
  for (const name of ["weir", "pond", "qanat", "logo", "darkLogo", "icon"] as const) {
    const { alt, shapes, size = { width, height } } = { size: undefined, ...drawings[name] };
    const sides = `width="${size.width}" height="${size.height}"`;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${sides}>${shapes().join("")}</svg>`;
    const drawn = await sharp(Buffer.from(svg)).png().toBuffer();
    const encoded = await encoder.encode(drawn, "demo", { isIcon: name === "icon" });
    if (encoded.kind !== "encoded") throw new Error(`The image ${name} was not made: ${encoded.kind}.`);
    const { files, kind: _, ...shape } = encoded;
    const fileName = createHash("sha256").update(`demo ${name}`).digest("hex").slice(0, 25);
    // Left by a start that broke off.
    await folder.remove(files.map(({ ending }) => `${fileName}-${ending}`));
    await folder.write(fileName, files);
    const bytes = files.reduce((total, file) => total + file.bytes.length, 0);
    images.set(name, { ...shape, name: fileName, alt, bytes });
  }
  return images;
}
