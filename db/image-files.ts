/** The files of images, as backups and copies read and write them. */
import { createHash } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { syncToDisk } from "./dialects/sqlite/backup.ts";
import { errorCode } from "./error-code.ts";
import { Failure } from "./failure.ts";

/** The beginning of a file's name names its image. */
export const imageFileName = /^([a-z0-9]{25})-[\w.-]+$/;

/** The files' names, in order; none where there is no folder. */
export function imageFilesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => imageFileName.test(name))
      .sort();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

export function readIfExists(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Under another name first: a file with its name is whole. */
export function writeImageFile(folder: string, name: string, bytes: Buffer): void {
  const unfinished = join(folder, `unfinished-${process.pid}`);
  writeFileSync(unfinished, bytes, { mode: 0o600 });
  const descriptor = openSync(unfinished, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
  renameSync(unfinished, join(folder, name));
}

export function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

interface CopiedImages {
  files: number;
  /** How many of them were in the target before. */
  found: number;
  /** SHA-256 over the files' names and checksums, in order, a line for each. */
  sha256: string;
}

/**
 * Copies the files of images to another folder, and compares them.
 * The folder may hold others. Identical files stay, so an interrupted copy is resumed.
 */
export function copyImageFiles(
  from: string,
  to: string,
  onFile: (done: number, total: number) => void = () => {},
): CopiedImages {
  const names = imageFilesIn(from);
  mkdirSync(to, { recursive: true, mode: 0o700 });
  const all = createHash("sha256");
  let [files, found] = [0, 0];
  for (const [index, name] of names.entries()) {
    onFile(index, names.length);
    const bytes = readIfExists(join(from, name));
    if (!bytes) continue; // removed meanwhile
    const checksum = sha256(bytes);
    const copiedChecksum = () => {
      const copy = readIfExists(join(to, name));
      return copy && sha256(copy);
    };
    if (copiedChecksum() === checksum) found += 1;
    else {
      writeImageFile(to, name, bytes);
      if (copiedChecksum() !== checksum)
        throw new Failure(
          `The image file ${name} in ${to} is not the same as in ${from}: run the command again.`,
        );
    }
    all.update(`${name} ${checksum}\n`);
    files += 1;
  }
  syncToDisk(to);
  return { files, found, sha256: all.digest("hex") };
}
