/** Fingerprints of files when they were read, to detect changes. */
import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { errorCode } from "../../db/error-code.ts";
import { errorMessage } from "../../lib/logging/error-message.ts";

/** A file's metadata, and its hash while it is young. */
export interface Fingerprint {
  /**
   * The file's metadata that change with its content.
   * "gone" when there is no such file, "empty" when it has no content.
   */
  marks: string;
  /**
   * A hash of the content, only while the file is young.
   * A file system may record times in whole seconds, and a second change in the same second would be missed.
   */
  hash?: string;
}

/** By their paths. */
export type FileFingerprints = ReadonlyMap<string, Fingerprint>;

const youngMs = 3_000;

/** The file's fingerprint at `now`, in milliseconds since 1970. Never rejects. */
export async function fingerprintOf(file: string, now: number): Promise<Fingerprint> {
  try {
    const stats = await stat(file, { bigint: true });
    if (stats.isFile() && stats.size === 0n) return { marks: "empty" };
    const marks = [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(" ");
    if (!stats.isFile() || now - Number(stats.mtimeMs) > youngMs) return { marks };
    return {
      marks,
      hash: createHash("sha256")
        .update(await readFile(file))
        .digest("base64"),
    };
  } catch (error) {
    return { marks: errorCode(error) === "ENOENT" ? "gone" : `unreadable: ${errorMessage(error)}` };
  }
}

/** Whether the two show no change. */
export function isSame(one: Fingerprint | undefined, other: Fingerprint | undefined): boolean {
  if (one?.marks !== other?.marks) return false;
  return one?.hash === undefined || other?.hash === undefined || one.hash === other.hash;
}

export function areSame(some: FileFingerprints, others: FileFingerprints): boolean {
  return [...some].every(([file, fingerprint]) => isSame(fingerprint, others.get(file)));
}

/** Whether a file is gone or empty, as it is while it is replaced. */
export function isBeingReplaced(fingerprints: FileFingerprints): boolean {
  return [...fingerprints.values()].some(({ marks }) => marks === "gone" || marks === "empty");
}
