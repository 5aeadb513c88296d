/** An import in a process of its own: a command's, or an administrator's. */
import { openDatabase } from "../../db/index.ts";
import { runExclusively } from "../import-uploads/import-lock.ts";
import { createGuard } from "../limits/guard.ts";
import { limits } from "../limits/index.ts";
import { createRenderer } from "../markdown/index.ts";
import { createImageEncoder } from "../media/encoder.ts";
import { mediaFolder } from "../media/folder.ts";
import { mediaFolderPath } from "../settings/data-folder.ts";
import { env } from "../settings/env.ts";
import { openSource } from "./archive.ts";
import { type ImportLine, type ImportRequest, importPosts } from "./index.ts";

interface FileImport extends Omit<ImportRequest, "source" | "now"> {
  path: string;
  /** The name of a file that is not an archive; that of its path unless set. */
  name?: string;
  /** Whether its start has made sure that it runs alone. */
  isAlone: boolean;
}

/**
 * Imports the archive at a path; its uploads of images are not limited.
 * Fails when another import is running.
 */
export async function* importFrom({
  path,
  name,
  isAlone,
  ...request
}: FileImport): AsyncGenerator<ImportLine> {
  const source = await openSource(path, name);
  const database = await openDatabase(env.DATABASE_URL);
  const renderer = createRenderer();
  const folder = mediaFolder(mediaFolderPath(env));
  try {
    await folder.prepare();
    const uploads = {
      database,
      mediaFolder: folder,
      limits: { ...limits, "media.user": [] },
      guard: createGuard({ database, clock: () => database.time() }),
      imageEncoder: createImageEncoder(),
      whoMayWrite: "anyone" as const,
      mediaBytesPerUser: Number.POSITIVE_INFINITY,
    };
    const lines = importPosts({ database, renderer, uploads }, { ...request, source, now: database.time() });
    yield* isAlone ? lines : runExclusively({ database, folder }, request, lines);
  } finally {
    await renderer.close();
    await database.close();
    await source.close();
  }
}
