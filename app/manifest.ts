import type { MetadataRoute } from "next";
import { siteSettings } from "@/lib/site";
import { backgrounds } from "@/lib/site/colours";
import { siteDescription, siteIcon, siteName } from "./site-metadata";

// Its name is a setting of the running server, not of the build.
export const dynamic = "force-dynamic";

export default function manifest(): MetadataRoute.Manifest {
  const {
    tab: { url, ...icon },
    apps,
  } = siteIcon();
  return {
    name: siteName(),
    short_name: siteName(),
    description: siteDescription(),
    start_url: "/",
    display: "minimal-ui",
    background_color: backgrounds.light,
    theme_color: siteSettings().ACCENT_COLOUR,
    icons: [{ src: url, ...icon }, ...apps],
  };
}
