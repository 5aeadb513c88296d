import type { MetadataRoute } from "next";
import { app } from "@/lib/app";
import { database } from "@/lib/database";
import { archivePath, postPath, tagPath } from "@/lib/paths";
import { archivedYears } from "@/lib/posts/archive";
import { trustedOrigin } from "@/lib/request/site-origin";

/** Most URLs in one sitemap. */
const maximum = 50_000;
const tagsMaximum = 5_000;

export default async function sitemap(): Promise<MetadataRoute.Sitemap> {
  const origin = await trustedOrigin();
  if (origin === undefined) return [];
  const years = (await archivedYears(app())).map(({ year }) => archivePath(year));
  const tags = (await database().tagLists.listedTags(tagsMaximum)).map(({ slug }) => tagPath(slug));
  const pages = ["/", "/how-scores-work", "/privacy", archivePath(), ...years, ...tags];
  const recent = await database().posts.recent(maximum - pages.length);
  const posts = recent.map(({ slug, updatedAt }) => ({
    url: origin + postPath(slug),
    lastModified: new Date(updatedAt),
  }));
  return [...pages.map((path) => ({ url: origin + path })), ...posts];
}
