/** Images that writers upload, for their posts. */
import type { Database, ImageRow } from "../../db/index.ts";
import { pageOf } from "../paging/page-of.ts";
import type { User } from "../users/index.ts";
import { type Invalid, validate } from "../validation.ts";
import { filesOf, type ImageShape } from "./address.ts";
import type { MediaFolder } from "./folder.ts";
import { altSchema } from "./schema.ts";

export type { ImageRow };

export interface MediaContext {
  database: Database;
  mediaFolder: MediaFolder;
}

/** An image in its owner's list, with the posts that use it. */
export interface ListedImage extends ImageRow {
  uses: { slug: string; title: string; lang: string | null }[];
}

/** One page of a user's images, the newest first. */
export async function listImages(
  { database }: Pick<MediaContext, "database">,
  { user, limit, before }: { user: Pick<User, "id">; limit: number; before?: number | undefined },
): Promise<{ images: ListedImage[]; nextBefore: number | null }> {
  const found = await database.media.ofUser(user.id, { limit: limit + 1, before });
  return pageOfImages(database, found, { limit, drafts: true });
}

/**
 * A page of images with their uses, and where the next begins.
 * `found` are its images, and one more if there is one.
 */
export async function pageOfImages<Image extends ImageRow>(
  { media }: Pick<Database, "media">,
  found: readonly Image[],
  { limit, drafts }: { limit: number; drafts: boolean },
): Promise<{ images: (Image & ListedImage)[]; nextBefore: number | null }> {
  const { items, nextCursor } = pageOf(found, limit, ({ id }) => id);
  const ids = items.map(({ id }) => id);
  const uses = Map.groupBy(await media.usesOf(ids, { drafts }), ({ mediaId }) => mediaId);
  const images = items.map((image) => ({ ...image, uses: uses.get(image.id) ?? [] }));
  return { images, nextBefore: nextCursor };
}

/** Changes the description of an image, for its owner. */
export async function describeImage(
  { database }: Pick<MediaContext, "database">,
  { user, id, input }: { user: User; id: number; input: unknown },
): Promise<{ kind: "described"; image: ImageRow } | Invalid | { kind: "no-such-image" }> {
  const described = validate(altSchema, input);
  if (!described.ok) return { kind: "invalid", errors: described.errors };
  const image = await database.media.byId(id);
  if (image?.userId !== user.id) return { kind: "no-such-image" };
  const { alt } = described.value;
  if (alt !== image.alt) await database.media.setAlt(id, alt);
  return { kind: "described", image: { ...image, alt } };
}

type Removed =
  | { kind: "removed" }
  | { kind: "no-such-image" }
  /** Posts of its owner use it. */
  | ImageUsed;

/** An image that its owner cannot remove: these posts use it. */
export interface ImageUsed {
  kind: "image-used";
  uses: { slug: string; title: string; lang: string | null }[];
}

/** Removes an image with its files, for its owner, when no post uses it. */
export async function removeImage(
  { database, mediaFolder }: MediaContext,
  { user, id }: { user: User; id: number },
): Promise<Removed> {
  const outcome = await database.transaction(async () => {
    const image = await database.media.lock(id);
    if (image?.userId !== user.id) return { kind: "no-such-image" as const };
    const uses = await database.media.usesOf([id], { drafts: true });
    if (uses.length > 0) return { kind: "image-used" as const, uses };
    await database.media.remove(image);
    return { kind: "removed" as const, image };
  });
  if (outcome.kind !== "removed") return outcome;
  await removeFiles(mediaFolder, outcome.image);
  return { kind: "removed" };
}

/**
 * Removes the files of a removed image.
 * When this fails, the cleaner removes them later.
 */
export async function removeFiles(mediaFolder: MediaFolder, image: ImageShape): Promise<void> {
  await mediaFolder.remove(filesOf(image)).catch(() => {});
}
