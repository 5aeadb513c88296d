/** A post's cover image. */
import type { Database } from "../../db/index.ts";
import { translator } from "../i18n/index.ts";
import { type ImageShape, imageAddress } from "../media/address.ts";
import type { Invalid } from "../validation.ts";

/**
 * The cover that an author has chosen: one of their own images, null for none.
 * It has the image's description at this time.
 */
export async function coverOf(
  { media }: Database,
  authorId: number,
  chosen: ImageShape | null | undefined,
): Promise<{ kind: "cover"; cover: { address: string; alt: string } | null | undefined } | Invalid> {
  if (!chosen) return { kind: "cover", cover: chosen };
  const image = await media.ownByName(chosen.name, authorId);
  if (image && imageAddress(image) === imageAddress(chosen))
    return { kind: "cover", cover: { address: imageAddress(image), alt: image.alt } };
  return { kind: "invalid", errors: { cover: [translator("validation")("post.cover")] } };
}
