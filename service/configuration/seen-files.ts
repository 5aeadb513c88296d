/** What files looked like when they were read, so that it can be seen when they change. */
import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { errorCode, errorMessage } from "../../lib/logging/error-message.ts";

/** What a file looks like. */
export interface Look {
  /** Everything that the file system says changes with the content; "gone" when there is no such file. */
  marks: string;
  /**
   * Of the content, only while the file is young: a file system may write times in whole seconds, and a second change in the
   * same one would go unseen.
   */
  hash?: string;
}

/** By their paths. */
export type SeenFiles = ReadonlyMap<string, Look>;

const youngMs = 3_000;

/** What a file looks like at `now`, in milliseconds since 1970. Never rejects. */
export async function lookAt(file: string, now: number): Promise<Look> {
  try {
    const stats = await stat(file, { bigint: true });
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

/** Whether nothing speaks for a change between the two. */
export function isSame(one: Look | undefined, other: Look | undefined): boolean {
  if (one?.marks !== other?.marks) return false;
  return one?.hash === undefined || other?.hash === undefined || one.hash === other.hash;
}

export function areSame(some: SeenFiles, others: SeenFiles): boolean {
  return [...some].every(([file, look]) => isSame(look, others.get(file)));
}

export function hasGone(looks: SeenFiles): boolean {
  return [...looks.values()].some(({ marks }) => marks === "gone");
}
