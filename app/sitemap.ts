import type { MetadataRoute } from "next";
import { database } from "@/lib/database";
import { postPath } from "@/lib/paths";
import { trustedOrigin } from "@/lib/request/site-origin";

/** Most URLs in one sitemap. */
const maximum = 50_000;

export default async function sitemap(): Promise<MetadataRoute.Sitemap> {
  const origin = await trustedOrigin();
  if (origin === undefined) return [];
  const recent = await database().posts.recent(maximum - 2);
  const posts = recent.map(({ slug, updatedAt }) => ({
    url: origin + postPath(slug),
    lastModified: new Date(updatedAt),
  }));
  return [{ url: `${origin}/` }, { url: `${origin}/how-scores-work` }, ...posts];
}
