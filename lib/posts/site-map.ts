/**
 * The site map: the addresses of pages and posts for search engines.
 * A large one takes long to read, so it is read in parts and kept for a while.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Database } from "../../db/index.ts";
import { listStart } from "../../db/types.ts";
import { archivePath, postPath, tagPath } from "../paths.ts";
import { archivedYears } from "./archive.ts";

/** Most addresses in one site map. */
const maximum = 50_000;
const tagsMaximum = 5_000;
/** Posts that are read at a time; SQLite reads them on the event loop. */
const usualPart = 1_000;
/** A change on another node shows after this time. */
const keptMs = 10_000;

interface SiteMapRequest {
  /** Undefined while it is unknown; the map is then empty. */
  origin: string | undefined;
  /** The number of changes of pages so far; an older map is not used. */
  changes: number;
  now: number;
}

interface KeptMap {
  text: Promise<string>;
  changes: number;
  at: number;
}

/** By origin: without SITE_URL there may be several names of this machine. */
const kept = new LRUCache<string, KeptMap>({ max: 2 });

/** The site map as XML; requests that come meanwhile share the work. */
export function siteMap(database: Database, { origin, changes, now }: SiteMapRequest): Promise<string> {
  if (origin === undefined) return Promise.resolve(mapOf([]));
  const known = kept.get(origin);
  if (known && known.changes === changes && Math.abs(now - known.at) < keptMs) return known.text;
  const text = readSiteMap(database, origin);
  kept.set(origin, { text, changes, at: now });
  // The next request tries again.
  text.catch(() => kept.delete(origin));
  return text;
}

/** The site map, read in parts with turns of the event loop between them. */
export async function readSiteMap(database: Database, origin: string, part = usualPart): Promise<string> {
  const years = (await archivedYears({ database })).map(({ year }) => archivePath(year));
  const tags = (await database.tagLists.listedTags(tagsMaximum)).map(({ slug }) => tagPath(slug));
  const pages = ["/", "/how-scores-work", "/privacy", archivePath(), ...years, ...tags];
  const parts = [pages.map((path) => entryOf(origin + path)).join("")];
  let left = maximum - pages.length;
  for (let after = listStart; left > 0; ) {
    await nextTurn();
    const posts = await database.posts.recent(Math.min(part, left), after);
    parts.push(posts.map(({ slug, updatedAt }) => entryOf(origin + postPath(slug), updatedAt)).join(""));
    const last = posts.at(-1);
    if (!last || last.publishedAt === null || posts.length < part) break;
    after = { at: last.publishedAt, id: last.id };
    left -= posts.length;
  }
  return mapOf(parts);
}

function mapOf(parts: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${parts.join("")}</urlset>
`;
}

/** Paths are percent-encoded; `&` and `<` are in none of them. */
function entryOf(url: string, updatedAt?: number): string {
  const changed = updatedAt === undefined ? "" : `<lastmod>${new Date(updatedAt).toISOString()}</lastmod>`;
  return `<url><loc>${url}</loc>${changed}</url>\n`;
}
