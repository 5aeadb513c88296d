/** The subject of a feed. */
export interface FeedSource {
  title: string;
  description?: string;
  /** The path of the page with the same posts. */
  path: string;
  authorId?: number;
  /** The slug of a tag. */
  tag?: string;
}

export interface Feed extends Omit<FeedSource, "authorId" | "tag"> {
  /** Empty when the site does not know it. */
  origin: string;
  lang: string;
  /** The path of the feed itself. */
  self: string;
  /** The paths of the site's icon. */
  icon: { small: string; large: string };
  entries: FeedEntry[];
}

/**
 * A post as on its page, then its score.
 * As it was written, if it is not rendered.
 */
export type FeedContent = { kind: "html" | "text"; text: string };

export interface FeedEntry {
  path: string;
  title: string;
  /** Null for an unknown language, which need not be the site's. */
  lang: string | null;
  excerpt: string | null;
  /** The path of the cover; undefined for none. */
  image: string | undefined;
  author: { name: string; path: string };
  publishedAt: number;
  updatedAt: number;
  /** By name. */
  tags: string[];
  /** Undefined for a long text: the entry has summary and link. */
  content: FeedContent | undefined;
}
