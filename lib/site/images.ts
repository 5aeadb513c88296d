/** Changes of the site's logo and icon, for administrators. */
import {
  filesOf,
  type ImageShape,
  iconAddress,
  iconSides,
  imageAddress,
  imageAt,
  mediaPath,
} from "../media/address.ts";
import type { MediaContext } from "../media/index.ts";
import {
  fileErrors,
  type NotUploaded,
  saveWithFiles,
  type UploadContext,
  type WrittenImage,
} from "../media/upload.ts";
import { asActingAdministrator, isActingAdministrator } from "../users/permissions.ts";
import { administrator } from "../users/roles.ts";
import type { User } from "../users/types.ts";
import { refreshSiteSettings } from "./index.ts";
import type { SiteImageName } from "./schema.ts";

interface ImageChange {
  actor: User;
  name: SiteImageName;
  now: number;
}

const forbidden = { kind: "forbidden" } as const;

/** Makes an uploaded image the site's logo or icon, in place of the one before. */
export async function uploadSiteImage(
  context: MediaContext & Pick<UploadContext, "imageEncoder">,
  { file, ...change }: ImageChange & { file: Uint8Array | undefined },
): Promise<
  | { kind: "saved" }
  | { kind: "forbidden" }
  | Extract<NotUploaded, { kind: "invalid" | "images-busy" | "disk-full" }>
> {
  if (!(await isActingAdministrator(context.database, change.actor))) return forbidden;
  const errors = fileErrors(file);
  if (!file || Object.keys(errors).length > 0) return { kind: "invalid", errors };
  const upload = { file, owner: "the site", isIcon: change.name === "SITE_ICON" };
  const outcome = await saveWithFiles(context, upload, (image) => replace(context, { ...change, image }));
  return outcome.kind === "uploaded" ? finish(context, outcome.previous) : outcome;
}

/** Returns to the site's usual mark; does nothing where there is no image. */
export async function removeSiteImage(
  context: MediaContext,
  change: ImageChange,
): Promise<{ kind: "saved" } | { kind: "forbidden" }> {
  const outcome = await replace(context, change);
  return outcome.kind === "uploaded" ? finish(context, outcome.previous) : outcome;
}

function replace(
  { database }: MediaContext,
  { actor, name, now, image }: ImageChange & { image?: WrittenImage },
): Promise<{ kind: "uploaded"; previous: ImageShape | undefined } | { kind: "forbidden" }> {
  const { accountChanges, media, siteSettings } = database;
  return asActingAdministrator(database, actor, async () => {
    const previous = imageAt((await siteSettings.lock()).get(name) ?? "");
    if (image) await media.insert({ ...image, userId: null, alt: "", createdAt: now });
    await siteSettings.save(new Map([[name, image ? imageAddress(image) : null]]));
    if (previous) await media.removeSiteImage(previous.name);
    if (image || previous)
      await accountChanges.record(
        { kind: "change-settings", at: now, ...administrator(actor), why: name },
        [],
      );
    return { kind: "uploaded", previous };
  });
}

async function finish(
  { database, mediaFolder }: MediaContext,
  previous: ImageShape | undefined,
): Promise<{ kind: "saved" }> {
  await refreshSiteSettings(database);
  // When this fails, the cleaner removes the files later.
  if (previous) await mediaFolder.remove(siteFilesOf(previous)).catch(() => {});
  return { kind: "saved" };
}

/** The names of an image's files, also when it is the icon. */
function siteFilesOf(image: ImageShape): string[] {
  return [...filesOf(image), ...iconSides.map((side) => iconAddress(image, side).slice(mediaPath.length))];
}
