import type { MetadataRoute } from "next";
import { siteDescription, siteName } from "./site-metadata";

// Its name is a setting of the running server, not of the build.
export const dynamic = "force-dynamic";

export default function manifest(): MetadataRoute.Manifest {
  return {
    name: siteName,
    short_name: siteName,
    description: siteDescription(),
    start_url: "/",
    display: "minimal-ui",
    background_color: "#fbfaf7",
    theme_color: "#1d5f8c",
    icons: [
      { src: "/icon.svg", sizes: "any", type: "image/svg+xml" },
      { src: "/icon-512.png", sizes: "512x512", type: "image/png" },
    ],
  };
}
