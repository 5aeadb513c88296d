/**
 * Compares the folder of images with the database.
 * All nodes share one folder, and no other database does: it would take the images for remains and remove them.
 */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Database } from "../../db/index.ts";
import { databaseIdFile } from "../../db/types.ts";
import { filesOf, type ImageShape } from "./address.ts";
import type { MediaFolder } from "./folder.ts";

/** How many images, the oldest, are looked for in the folder. */
export const imagesChecked = 100;

interface FolderState {
  /** The id in the database. */
  saved: string | undefined;
  /** The id in the folder. */
  found: string | undefined;
  imagesFound: "some" | "none-found" | "no-images";
  /** Whether the folder has no file of any image. */
  isEmpty: boolean;
  nodeCount: number;
}

type Refusal =
  | { kind: "of-another-database"; imagesFound: FolderState["imagesFound"] }
  | { kind: "without-the-images" }
  | { kind: "not-the-shared-one" };

/** Whether the folder is the database's, may become it, or is refused. */
export function decideOnFolder({
  saved,
  found,
  imagesFound,
  isEmpty,
  nodeCount,
}: FolderState): { kind: "own" } | { kind: "claimable" } | Refusal {
  if (found !== undefined) {
    if (found === saved) return { kind: "own" };
    const isFree = saved === undefined && imagesFound === "no-images" && isEmpty;
    return isFree ? { kind: "claimable" } : { kind: "of-another-database", imagesFound };
  }
  if (imagesFound === "some") return { kind: "claimable" };
  if (imagesFound === "no-images" && (saved === undefined || nodeCount === 1)) return { kind: "claimable" };
  return { kind: nodeCount === 1 ? "without-the-images" : "not-the-shared-one" };
}

/**
 * The finding and the advice for a folder that is refused.
 * Without `saved`, the database gets its id at the next start.
 */
export function describeRefusal(
  refusal: Refusal,
  { path, saved }: { path: string; saved: string | undefined },
): { finding: string; advice: string } {
  const file = join(path, databaseIdFile);
  const id = saved ?? "the id that the start then reports";
  if (refusal.kind === "without-the-images")
    return {
      finding: `${path} has none of this database's images`,
      advice: `mount it or restore them, or set MEDIA_FOLDER. To go on without them, write ${id} to ${file}`,
    };
  if (refusal.kind === "not-the-shared-one")
    return {
      finding: `${path} is not the folder of images that this database has`,
      advice: `set MEDIA_FOLDER to that one, which all nodes share, and mount it first. To go on with this one, write ${id} to ${file}`,
    };
  const others = {
    some: `. To hand the folder over to this database, remove ${file}`,
    "none-found": "",
    "no-images": ". To begin afresh when the other database is gone, move or delete this folder",
  };
  return {
    finding: `${path} is the folder of images of another database`,
    advice: `set MEDIA_FOLDER to the one of this database${others[refusal.imagesFound]}`,
  };
}

/** Whether some of the images have a file. */
export async function findImages(
  images: readonly ImageShape[],
  isThere: (file: string) => boolean | Promise<boolean>,
): Promise<FolderState["imagesFound"]> {
  for (const file of images.flatMap(filesOf)) if (await isThere(file)) return "some";
  return images.length === 0 ? "no-images" : "none-found";
}

/**
 * Checks that the folder belongs to the database, and claims a new one.
 * A moved, restored or copied folder with images of the database is claimed, too. Call it at start, after `prepare`.
 */
export function claimMediaFolder({
  database,
  mediaFolder,
  nodeCount,
}: {
  database: Pick<Database, "media" | "transaction">;
  mediaFolder: Pick<MediaFolder, "databaseId" | "saveDatabaseId" | "list" | "writtenAt">;
  nodeCount: number;
}): Promise<{ kind: "own" } | (Refusal & { saved: string | undefined })> {
  return database.transaction(async () => {
    const saved = await database.media.lockFolderId();
    const decision = decideOnFolder({
      saved,
      found: await mediaFolder.databaseId(),
      imagesFound: await findImages(
        await database.media.after(0, imagesChecked),
        async (file) => (await mediaFolder.writtenAt(file)) !== undefined,
      ),
      isEmpty: await isEmpty(mediaFolder),
      nodeCount,
    });
    if (decision.kind === "own") return decision;
    if (decision.kind === "of-another-database") return { ...decision, saved };
    const databaseId = saved ?? randomUUID();
    if (saved === undefined) await database.media.saveFolderId(databaseId);
    if (decision.kind !== "claimable") return { ...decision, saved: databaseId };
    await mediaFolder.saveDatabaseId(databaseId);
    return { kind: "own" as const };
  });
}

async function isEmpty(folder: Pick<MediaFolder, "list">): Promise<boolean> {
  for await (const _ of folder.list()) return false;
  return true;
}
