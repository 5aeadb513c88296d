/** Administrators find users' images, and remove them on record. */
import type { Database } from "../../db/index.ts";
import { asActingAdministrator } from "../users/permissions.ts";
import { administrator } from "../users/roles.ts";
import { comparisonKey } from "../users/schema.ts";
import type { DatabaseContext, User } from "../users/types.ts";
import { type Invalid, validate } from "../validation.ts";
import { type ListedImage, type MediaContext, pageOfImages, removeFiles } from "./index.ts";
import { imageRemovalSchema } from "./schema.ts";

const imagesPerPage = 24;

/** An image with its owner's name, and the published posts that use it. */
export type OwnedImage = ListedImage & { username: string };

const forbidden = { kind: "forbidden" } as const;

/**
 * A page of all users' images for administrators, the newest first.
 * With `username` only that user's. The site's own logo and icon are among the settings.
 */
export async function imagesForAdministrators(
  { database }: DatabaseContext,
  actor: User,
  { username, before }: { username?: string | undefined; before?: number | undefined },
): Promise<
  | { kind: "images"; images: OwnedImage[]; nextBefore: number | null }
  | { kind: "no-such-user" }
  | typeof forbidden
> {
  if (!actor.isAdministrator) return forbidden;
  const owner =
    username === undefined ? undefined : await database.users.byUsernameKey(comparisonKey(username));
  if (username !== undefined && !owner) return { kind: "no-such-user" };
  const found = await database.media.latest({ limit: imagesPerPage + 1, before, userId: owner?.id });
  return { kind: "images", ...(await withUses(database, found)) };
}

/** One user's image for administrators. */
export async function imageForAdministrators(
  { database }: DatabaseContext,
  actor: User,
  id: number,
): Promise<{ kind: "image"; image: OwnedImage } | { kind: "no-such-image" } | typeof forbidden> {
  if (!actor.isAdministrator) return forbidden;
  const found = await database.media.withOwner(id);
  const [image] = found ? (await withUses(database, [found])).images : [];
  return image ? { kind: "image", image } : { kind: "no-such-image" };
}

/** Without drafts, which only their authors see. */
function withUses(
  database: Database,
  found: Awaited<ReturnType<Database["media"]["latest"]>>,
): Promise<{ images: OwnedImage[]; nextBefore: number | null }> {
  return pageOfImages(database, found, { limit: imagesPerPage, drafts: false });
}

/**
 * Removes a user's image with its files, for administrators.
 * Also when posts use it. `input` is unvalidated: `{ why }`.
 */
export async function removeAnyImage(
  { database, mediaFolder }: MediaContext,
  { actor, id, input, now }: { actor: User; id: number; input: unknown; now: number },
): Promise<{ kind: "removed"; username: string } | { kind: "no-such-image" } | Invalid | typeof forbidden> {
  const checked = validate(imageRemovalSchema, input);
  const outcome = await asActingAdministrator(database, actor, async () => {
    if (!checked.ok) return { kind: "invalid" as const, errors: checked.errors };
    const image = (await database.media.lock(id)) && (await database.media.withOwner(id));
    if (!image) return { kind: "no-such-image" as const };
    await database.media.remove(image);
    const change = {
      kind: "remove-image",
      at: now,
      ...administrator(actor),
      why: checked.value.why,
    } as const;
    await database.accountChanges.record(change, [{ userId: image.userId, deciders: 0 }]);
    return { kind: "removed" as const, image };
  });
  if (outcome.kind !== "removed") return outcome;
  await removeFiles(mediaFolder, outcome.image);
  return { kind: "removed", username: outcome.image.username };
}
