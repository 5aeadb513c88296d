import { columnWidths, imageAddress, imageAt, sourceSet } from "@/lib/media/address";

/** A post's cover above its text; null without one. */
export function Cover({ cover, coverAlt }: { cover: string | null; coverAlt: string | null }) {
  const image = cover === null ? undefined : imageAt(cover);
  if (!image) return null;
  const sources = (["avif", "webp"] as const).map((type) => (
    <source key={type} type={`image/${type}`} srcSet={sourceSet(image, type)} sizes={columnWidths} />
  ));
  return (
    <picture>
      {image.isAnimated && (
        <source
          type="image/webp"
          srcSet={imageAddress(image)}
          media="(prefers-reduced-motion: no-preference)"
        />
      )}
      {sources}
      <img
        src={imageAddress(image)}
        alt={coverAlt ?? ""}
        width={image.width}
        height={image.height}
        decoding="async"
        className="mb-8 h-auto max-w-full rounded"
      />
    </picture>
  );
}
