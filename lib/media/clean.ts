/**
 * Removes files of images that have no row.
 * They are of uploads that broke off, and of images that were removed.
 */
import type { Database } from "../../db/index.ts";
import { hourMs } from "../time/units.ts";
import type { MediaFolder } from "./folder.ts";

/** A younger file may be of an upload that is not saved yet. */
const ageMinimumMs = hourMs;
const filesPerStep = 500;

/**
 * Resolves to the number of removed files.
 * Of several nodes each may run it at any time.
 */
export async function cleanMediaFolder(
  { media }: Pick<Database, "media">,
  folder: MediaFolder,
): Promise<number> {
  const now = await folder.time();
  let removed = 0;
  let step: { image: string; file: string }[] = [];
  const removeUnknown = async () => {
    const known = await media.known([...new Set(step.map(({ image }) => image))]);
    for (const { image, file } of step) {
      if (known.has(image)) continue;
      const writtenAt = await folder.writtenAt(file);
      if (writtenAt === undefined || now - writtenAt < ageMinimumMs) continue;
      await folder.remove([file]);
      removed += 1;
    }
    step = [];
  };
  for await (const each of folder.list()) {
    step.push(each);
    if (step.length >= filesPerStep) await removeUnknown();
  }
  await removeUnknown();
  return removed;
}
