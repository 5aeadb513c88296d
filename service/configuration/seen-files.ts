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

function areSame(some: SeenFiles, others: SeenFiles): boolean {
  return [...some].every(([file, look]) => isSame(look, others.get(file)));
}

function hasGone(looks: SeenFiles): boolean {
  return [...looks.values()].some(({ marks }) => marks === "gone");
}

const everyMs = 100;
/** A file that is being replaced may be gone for a moment. */
const goneForMs = 900;
/** One that changes all the time is read between two changes. */
const changingForMs = 300;

/**
 * Looks at the files again and again, and calls `take` when any has changed and is left alone; an editor may write it in
 * parts. `take` reads them again and resolves to what it saw, which is what is looked at from then on.
 * Returns what ends it.
 */
export function watchFiles(seen: SeenFiles, take: () => Promise<SeenFiles>): () => void {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  let known = seen;
  /** How the files look when that is not what is known: since when they look so, and since when they change. */
  let change: { looks: SeenFiles; since: number; begun: number } | undefined;

  async function look(): Promise<void> {
    const looks = new Map<string, Look>();
    for (const file of known.keys()) looks.set(file, await lookAt(file, Date.now()));
    const at = performance.now();
    if (areSame(known, looks)) change = undefined;
    else if (!change || !areSame(change.looks, looks))
      change = { looks, since: at, begun: change && !hasGone(change.looks) ? change.begun : at };
    if (!change) return;

    const isLeftAlone = at - change.since >= (hasGone(looks) ? goneForMs : 1);
    const changesOnAndOn = !hasGone(looks) && at - change.begun >= changingForMs;
    if (!isLeftAlone && !changesOnAndOn) return;
    change = undefined;
    known = await take();
  }

  function goOn(): void {
    if (isOver) return;
    timer = setTimeout(() => void look().finally(goOn), everyMs);
    timer.unref();
  }
  goOn();

  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
