/** Checks the files of images against their rows. */
import { accessSync, constants, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Inspection } from "../../db/inspect.ts";
import { databaseIdFile } from "../../db/types.ts";
import { filesOf, iconAddress, iconSides, imageAt, mediaPath } from "../../lib/media/address.ts";
import { type DoctorCheck, fault, firstOf, ok, warning } from "./check.ts";

/** Whether each image has its files in `folder`, and each file there an image. */
export async function mediaCheck({ query }: Inspection, folder: string): Promise<DoctorCheck> {
  const rows = await query("select name, width, height, is_animated from media");
  if (!existsSync(folder))
    return rows.length === 0
      ? ok("images", "There are none.")
      : fault(
          "images",
          `${rows.length} images have no files: there is no folder ${folder}. Set MEDIA_FOLDER.`,
        );
  if (!isWritable(folder))
    return fault("images", `${folder} cannot be written: make it this user's, or set MEDIA_FOLDER.`);
  const files = new Set(readdirSync(folder));
  const [row] = await query("select database_id from media_folder");
  const idFile = join(folder, databaseIdFile);
  if (row && files.has(databaseIdFile) && readFileSync(idFile, "utf8").trim() !== row[0])
    return fault(
      "images",
      `${folder} is the folder of another database: set MEDIA_FOLDER. If the images in it are this database's, remove ${idFile}.`,
    );
  const names = new Set(rows.map(([name]) => String(name)));
  const missing: string[] = [];
  for (const [name, width, height, isAnimated] of rows) {
    const image = {
      name: String(name),
      width: Number(width),
      height: Number(height),
      isAnimated: isAnimated === true || isAnimated === 1,
    };
    for (const file of filesOf(image)) if (!files.has(file)) missing.push(file);
  }
  for (const file of await iconFiles(query)) if (!files.has(file)) missing.push(file);
  const finding = `${rows.length} images in ${folder}.`;
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
