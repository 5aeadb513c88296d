/** The earlier texts of posts, which a change has replaced. */
import type { Database } from "../../db/index.ts";
import { rowsOf } from "../paging/rows-of.ts";
import { type ArchiveFile, jsonArray } from "./zip.ts";

/** A file of the earlier texts of all posts, drafts too, or of one author's. */
export function earlierVersionsFile(database: Database, now: number, authorId?: number): ArchiveFile {
  return {
    path: "earlier-versions.json",
    changedAt: now,
    content: jsonArray(earlierVersions(database, authorId)),
  };
}

async function* earlierVersions({ exports }: Database, authorId: number | undefined) {
  const revisions = rowsOf((after, limit) => exports.revisions({ after, limit, authorId }));
  for await (const { slug, title, content, savedAt } of revisions)
    yield { post: slug, savedAt: new Date(savedAt).toISOString(), title, content };
}
