/** Checks the files of images against their rows. */
import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { Failure } from "../../db/failure.ts";
import type { Inspection } from "../../db/inspect.ts";
import { fileName, filesOf, iconAddress, iconSides, imageAt, mediaPath } from "../../lib/media/address.ts";
import { decideOnFolder, describeRefusal, findImages, imagesChecked } from "../../lib/media/claim-folder.ts";
import { mediaFolder } from "../../lib/media/folder.ts";
import { type DoctorCheck, fault, firstOf, ok, warning } from "./check.ts";

/**
 * Whether each image has its files in the folder, and each file there an image.
 * And whether a server with these settings would start on it.
 */
export async function mediaCheck(
  { query }: Inspection,
  { nodeCount, ...settings }: { path: string; nodeCount: number },
): Promise<DoctorCheck> {
  const folder = mediaFolder(settings.path);
  const { path } = folder;
  const rows = await query("select name, width, height, is_animated from media order by id");
  const images = rows.map(([name, width, height, isAnimated]) => ({
    name: String(name),
    width: Number(width),
    height: Number(height),
    isAnimated: isAnimated === true || isAnimated === 1,
  }));
  if (!existsSync(path) && images.length > 0)
    return fault(
      "images",
      `${images.length} images have no files: there is no folder ${path}. Set MEDIA_FOLDER.`,
    );
  if (existsSync(path) && !isWritable(path))
    return fault("images", `${path} cannot be written: make it this user's, or set MEDIA_FOLDER.`);
  const files = new Set(existsSync(path) ? readdirSync(path) : []);
  let found: string | undefined;
  try {
    found = await folder.databaseId();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return fault(
      "images",
      `${error.message}, so no server starts: make it a file that this user can read and write.`,
    );
  }
  const [row] = await query("select database_id from media_folder");
  const saved = row && String(row[0]);
  const decision = decideOnFolder({
    saved,
    found,
    imagesFound: await findImages(images.slice(0, imagesChecked), (file) => files.has(file)),
    isEmpty: ![...files].some((file) => fileName.test(file)),
    nodeCount,
  });
  if (decision.kind !== "own" && decision.kind !== "claimable") {
    const { finding, advice } = describeRefusal(decision, { path, saved });
    return fault("images", `${finding}, so no server starts: ${advice}.`);
  }
  if (!existsSync(path)) return ok("images", "There are none.");
  const names = new Set(images.map(({ name }) => name));
  const missing: string[] = [];
  for (const file of images.flatMap(filesOf)) if (!files.has(file)) missing.push(file);
  for (const file of await iconFiles(query)) if (!files.has(file)) missing.push(file);
  const finding = `${images.length} images in ${path}.`;
  if (missing.length > 0)
    return warning(
      "images",
      `${finding} Files that are missing: ${firstOf(missing)}. Restore a backup, or remove these images.`,
    );
  const left = [...files].filter(
    (file) => /^[a-z0-9]{25}-/.test(file) && !names.has(file.slice(0, 25)),
  ).length;
  return ok(
    "images",
    left === 0 ? finding : `${finding} ${left} files of no image, which a running server removes.`,
  );
}

/** The square files of the site's icon. */
async function iconFiles(query: Inspection["query"]): Promise<string[]> {
  const [row] = await query("select value from site_settings where name = 'SITE_ICON'");
  const icon = imageAt(String(row?.[0] ?? ""));
  return icon ? iconSides.map((side) => iconAddress(icon, side).slice(mediaPath.length)) : [];
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
