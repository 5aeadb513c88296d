import type { MetadataRoute } from "next";
import { siteOrigin } from "@/lib/http/site-origin";

export default async function robots(): Promise<MetadataRoute.Robots> {
  return {
    rules: { userAgent: "*", disallow: ["/api/", "/account", "/login", "/register", "/posts/new"] },
    sitemap: `${await siteOrigin()}/sitemap.xml`,
  };
}
