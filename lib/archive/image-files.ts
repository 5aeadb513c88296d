/** Images in archives: each by its largest file, under the address that texts have. */
import { createReadStream } from "node:fs";
import { join } from "node:path";
import type { ImageRow } from "../../db/index.ts";
import { imageAddress, mediaPath } from "../media/address.ts";
import type { MediaFolder } from "../media/folder.ts";
import type { ArchiveFile } from "./zip.ts";

/** An image's path in an archive: `media/ID-1600x900.webp`. */
function pathOf(image: ImageRow): string {
  return imageAddress(image).slice(1);
}

/** The entry of an image in an archive's list. */
export function describeImage(image: ImageRow) {
  const { alt, width, height, createdAt } = image;
  return {
    file: pathOf(image),
    description: alt,
    width,
    height,
    uploadedAt: new Date(createdAt).toISOString(),
  };
}

/** The images' files; one that is gone from the folder is left out. */
export async function* imageFiles(
  folder: Pick<MediaFolder, "path" | "writtenAt">,
  images: Iterable<ImageRow> | AsyncIterable<ImageRow>,
): AsyncGenerator<ArchiveFile> {
  for await (const image of images) {
    const file = imageAddress(image).slice(mediaPath.length);
    if ((await folder.writtenAt(file)) === undefined) continue;
    const content = createReadStream(join(folder.path, file));
    yield { path: pathOf(image), changedAt: image.createdAt, content, isCompressed: true };
  }
}
