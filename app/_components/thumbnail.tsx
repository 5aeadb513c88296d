import { type ImageShape, sizesOf, thumbnailAddress } from "@/lib/media/address";

interface ThumbnailProps {
  image: ImageShape;
  alt: string;
  className?: string;
}

/** An image in its smallest size. */
export function Thumbnail({ image, alt, className }: ThumbnailProps) {
  const [size = image] = sizesOf(image);
  return (
    // biome-ignore lint/performance/noImgElement: the framework's optimizer is off, the sizes are made on upload
    <img
      src={thumbnailAddress(image)}
      alt={alt}
      width={size.width}
      height={size.height}
      loading="lazy"
      decoding="async"
      className={className}
    />
  );
}
