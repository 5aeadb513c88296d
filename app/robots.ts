import type { MetadataRoute } from "next";
import { trustedOrigin } from "@/lib/request/site-origin";

export default async function robots(): Promise<MetadataRoute.Robots> {
  const origin = await trustedOrigin();
  return {
    rules: { userAgent: "*", disallow: ["/api/", "/account", "/login", "/register", "/posts/new"] },
    ...(origin && { sitemap: `${origin}/sitemap.xml` }),
  };
}
