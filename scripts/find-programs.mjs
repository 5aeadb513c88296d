/** Programs that are installed on this machine. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * The paths of programs by their names, those of the first name first.
 * Looks in PATH, then in further folders.
 */
export function findPrograms(names, furtherFolders = []) {
  const folders = [...(process.env.PATH ?? "").split(delimiter), ...furtherFolders];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).filter(existsSync);
}
