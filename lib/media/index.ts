/** Images that writers upload, for their posts. */
import { randomBytes } from "node:crypto";
import { errorCode } from "../../db/error-code.ts";
import type { Database, ImageRow } from "../../db/index.ts";
import { translator } from "../i18n/index.ts";
import { checkLimits } from "../limits/check-limits.ts";
import type { Limits } from "../limits/index.ts";
import type { Guard, Refused } from "../limits/types.ts";
import { pageOf } from "../paging/page-of.ts";
import type { NotAWriter } from "../posts/index.ts";
import type { WhoMayWrite } from "../site/schema.ts";
import type { User } from "../users/index.ts";
import { toUser } from "../users/user-of-row.ts";
import { mayWrite } from "../users/writers.ts";
import { type FieldErrors, type Invalid, validate } from "../validation.ts";
import { filesOf, type ImageShape } from "./address.ts";
import { uploadMaximumBytes } from "./bounds.ts";
import type { EncodingOptions, ImageFault } from "./encode.ts";
import type { ImageEncoder } from "./encoder.ts";
import { type MediaFolder, reservedBytes } from "./folder.ts";
import { altSchema } from "./schema.ts";

export type { ImageRow };

export interface MediaContext {
  database: Database;
  mediaFolder: MediaFolder;
}

export interface UploadContext extends MediaContext {
  limits: Limits;
  guard: Guard;
  imageEncoder: ImageEncoder;
  whoMayWrite: WhoMayWrite;
  mediaBytesPerUser: number;
}

export type NotUploaded =
  | Invalid
  | NotAWriter
  | Refused
  /** Too many images wait to be prepared. */
  | { kind: "images-busy" }
  /** The disk is full. */
  | { kind: "disk-full" }
  /** The account was deleted or disabled meanwhile. */
  | { kind: "not-logged-in" };

export interface Upload {
  user: User;
  address: string;
  /** Unvalidated. */
  input: { file: Uint8Array | undefined; alt: unknown };
  now: number;
}

/** Makes the files of an uploaded image and saves it, for a writer. */
export async function uploadImage(
  context: UploadContext,
  { user, address, input, now }: Upload,
): Promise<{ kind: "uploaded"; image: ImageRow } | NotUploaded> {
  const { database, guard, limits, whoMayWrite, mediaBytesPerUser } = context;
  if (!mayWrite(user, whoMayWrite)) return { kind: "not-a-writer" };
  if (user.isPending) return { kind: "denied", isPending: true };
  const { file, alt = "" } = input;
  const described = validate(altSchema, { alt });
  const errors = { ...(described.ok ? {} : described.errors), ...fileErrors(file) };
  if (!described.ok || !file || Object.keys(errors).length > 0) return { kind: "invalid", errors };
  const { bytes: used } = await database.media.totalOf(user.id);
  if (used >= mediaBytesPerUser) return noRoomLeft(mediaBytesPerUser);
  const client = { address, username: user.username };
  const checked = await checkLimits(guard, { client, checks: [[limits["media.user"], user.id]], now });
  if (checked.kind !== "allowed") return checked;
  return saveWithFiles(context, { file, owner: String(user.id) }, (written) =>
    database.transaction(async () => {
      // Locked, so that two uploads at once do not both take the last room.
      const row = await database.users.lock(user.id);
      if (!row || row.disabledAt !== null) return { kind: "not-logged-in" };
      if (!mayWrite(toUser(row), whoMayWrite)) return { kind: "not-a-writer" };
      const total = await database.media.totalOf(user.id);
      if (total.bytes + written.bytes > mediaBytesPerUser) return noRoomLeft(mediaBytesPerUser);
      const image = { ...written, userId: user.id, alt: described.value.alt, createdAt: now };
      const id = await database.media.insert(image);
      return { kind: "uploaded", image: { id, ...image } };
    }),
  );
}

/** An image whose files are written. */
export type WrittenImage = ImageShape & Pick<ImageRow, "bytes">;

type NotWritten = Invalid | { kind: "images-busy" } | { kind: "disk-full" };

/**
 * Makes an image's files and has its row saved.
 * Without a row, which `save` reports by another kind than "uploaded", the files are removed.
 */
export async function saveWithFiles<Outcome extends { kind: string }>(
  { imageEncoder, mediaFolder }: Pick<UploadContext, "imageEncoder" | "mediaFolder">,
  { file, owner, isIcon = false }: EncodingOptions & { file: Uint8Array; owner: string },
  save: (image: WrittenImage) => Promise<Outcome>,
): Promise<Outcome | NotWritten> {
  if ((await mediaFolder.freeBytes()) < reservedBytes) return { kind: "disk-full" };
  const encoded = await imageEncoder.encode(file, owner, { isIcon });
  if (encoded.kind === "busy") return { kind: "images-busy" };
  if (encoded.kind !== "encoded") return { kind: "invalid", errors: { file: [faultText(encoded.kind)] } };
  const { files, width, height, isAnimated } = encoded;
  const name = newName();
  const bytes = files.reduce((total, each) => total + each.bytes.length, 0);
  try {
    await mediaFolder.write(name, files);
  } catch (error) {
    if (errorCode(error) === "ENOSPC" || errorCode(error) === "EDQUOT") return { kind: "disk-full" };
    throw error;
  }
  let outcome: Outcome | undefined;
  try {
    outcome = await save({ name, width, height, isAnimated, bytes });
    return outcome;
  } finally {
    // After an error the row may have been saved all the same: the cleaner decides later.
    if (outcome && outcome.kind !== "uploaded") await mediaFolder.remove(namesOf(name, files));
  }
}

/** Errors of a missing file, and of one that is too large. */
export function fileErrors(file: Uint8Array | undefined): FieldErrors {
  if (!file || file.length === 0) return { file: [translator("validation")("image.none")] };
  return file.length > uploadMaximumBytes ? { file: [tooLargeFault()] } : {};
}

export function tooLargeFault(): string {
  return translator("validation")("image.tooLarge", { maximum: uploadMaximumBytes / 1024 / 1024 });
}

function faultText(fault: ImageFault): string {
  const t = translator("validation");
  switch (fault) {
    case "unreadable":
      return t("image.unreadable");
    case "too-many-pixels":
      return t("image.tooManyPixels");
    case "animation-too-long":
      return t("image.animationTooLong");
  }
}

function noRoomLeft(mediaBytesPerUser: number): Invalid {
  const maximum = Math.floor(mediaBytesPerUser / 1024 / 1024);
  return { kind: "invalid", errors: { file: [translator("validation")("image.noRoomLeft", { maximum })] } };
}

/** 128 random bits, so that only who was given an address knows it. */
function newName(): string {
  return BigInt(`0x${randomBytes(16).toString("hex")}`)
    .toString(36)
    .padStart(25, "0");
}

function namesOf(name: string, files: readonly { ending: string }[]): string[] {
  return files.map(({ ending }) => `${name}-${ending}`);
}

/** How much room a user's images take up, and may take up, in bytes. */
export async function roomOf(
  { database, mediaBytesPerUser }: Pick<UploadContext, "database" | "mediaBytesPerUser">,
  { id }: Pick<User, "id">,
): Promise<{ used: number; maximum: number }> {
  const { bytes } = await database.media.totalOf(id);
  return { used: bytes, maximum: mediaBytesPerUser };
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
  await database.media.setAlt(id, alt);
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
