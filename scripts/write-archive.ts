/** Writes an archive to a file atomically: it appears once it is complete. */
import { createWriteStream } from "node:fs";
import { access, rename, rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Failure } from "../db/failure.ts";

/** Fails when the file exists, unless `force` replaces it. */
export async function writeArchive(
  target: string,
  begin: () => Promise<Readable> | Readable,
  { force }: { force: boolean },
): Promise<void> {
  const unfinished = `${target}.unfinished-${process.pid}`;
  if (!force && (await exists(target))) throw new Failure(`${target} exists already; --force replaces it.`);
  try {
    await pipeline(await begin(), createWriteStream(unfinished, { flags: "wx", mode: 0o600 }));
    await rename(unfinished, target);
  } finally {
    await rm(unfinished, { force: true });
  }
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
