/** Types that the readers of other programs' archives share. */
import type { ImportResult } from "../import-uploads/kinds.ts";

/** A post as an archive has it, before anything of it is checked. */
export interface ParsedPost {
  /** Where in the archive it is, for the report. */
  source: string;
  title: string;
  /** Markdown. */
  content: string;
  slug?: string | undefined;
  /** Its date in milliseconds; undefined when it has none, NaN when it is unreadable. */
  date?: number | undefined;
  /** When it was last changed, in milliseconds. */
  updated?: number | undefined;
  author?: string | undefined;
  status: "published" | "draft" | "scheduled" | "unpublished";
  isUnlisted?: boolean;
  lang?: string | undefined;
  excerpt?: string | undefined;
  /** The address of its cover image. */
  cover?: string | undefined;
  coverAlt?: string | undefined;
  tags?: readonly string[];
  /** Former addresses of it on a site like this one. */
  formerSlugs?: readonly string[];
  /** The losses and changes in reading it. */
  notes: readonly string[];
}

/** A post, or why a part of the archive is none. */
export type Found =
  | { kind: "post"; post: ParsedPost }
  | { kind: "unreadable"; source: string; reason: string };

/** A line of the report. */
export interface ImportLine {
  source: string;
  result: ImportResult;
  /** The author's name in the archive, empty for none; undefined for no post. */
  author?: string | undefined;
  /**
   * The account that gets the post, or as a suggestion the one of the author's name.
   * Undefined when there is none that could.
   */
  account?: string | undefined;
  /** The post's slug on this site. */
  slug?: string;
  /** Why it failed or was skipped. */
  reason?: string;
  notes: readonly string[];
}
