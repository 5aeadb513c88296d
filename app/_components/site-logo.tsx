import { type ImageShape, thumbnailAddress, within } from "@/lib/media/address";
import { currentTheme } from "@/lib/request/current-request";
import { siteSettings } from "@/lib/site";

/** The room for the logo in the header, in pixels. */
const maximum = { width: 200, height: 40 };

interface SiteLogoProps {
  /** The images for the two themes. */
  light: ImageShape;
  dark: ImageShape;
  className: string;
}

/** The site's logo for the reader's theme, named as the site. */
export function SiteLogo({ light, dark, className }: SiteLogoProps) {
  const theme = currentTheme();
  if (theme) return <Logo image={theme === "dark" ? dark : light} className={className} />;
  return (
    <picture>
      <source
        media="(prefers-color-scheme: dark)"
        srcSet={thumbnailAddress(dark)}
        {...within(dark, maximum)}
      />
      <Logo image={light} className={className} />
    </picture>
  );
}

function Logo({ image, className }: { image: ImageShape; className: string }) {
  return (
    // biome-ignore lint/performance/noImgElement: the framework's optimizer is off, the sizes are made on upload
    <img
      src={thumbnailAddress(image)}
      alt={siteSettings().SITE_NAME}
      {...within(image, maximum)}
      className={`h-auto max-w-full ${className}`}
    />
  );
}
